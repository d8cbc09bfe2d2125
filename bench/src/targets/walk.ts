import type { PetStatus } from '@petstore/contracts';
import { authorization, type Place, type Target } from './target.js';

export interface Walk {
  status: PetStatus | undefined;
  /** Per page. */
  limit: number;
}

/**
 * Reads the whole list of the service by its Link headers. Returns the positions between the pages and the number of animals.
 * @throws Error if the ids do not ascend.
 */
export async function walk(service: Target, { status, limit }: Walk): Promise<{ places: Place[]; animals: number }> {
  const places: Place[] = [];
  let animals = 0;
  let lastId = 0;
  const filter = status === undefined ? '' : `&status=${status}`;
  for (let path: string | undefined = `/v1/pets?limit=${limit}${filter}`; path !== undefined;) {
    const response = await fetch(`http://127.0.0.1:${service.server.port}${path}`, { headers: authorization });
    const page = (await response.json()) as { id: number }[];
    for (const { id } of page) {
      if (id <= lastId) throw new Error(`The list ${path} returned the id ${id} after ${lastId}.`);
      lastId = id;
    }
    animals += page.length;
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    const cursor = path && new URL(path, 'http://service').searchParams.get('after');
    if (cursor) places.push({ status, afterId: lastId, cursor });
  }
  return { places, animals };
}
