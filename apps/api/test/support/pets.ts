import type { Pet } from '@petstore/contracts';
import { expect } from 'vitest';
import type { ApiResponse, Api } from './api.js';

export async function addPet(api: Api, members: Record<string, unknown> = {}): Promise<Pet> {
  const response = await api.post('/v1/pets', { name: 'Rex', categoryId: 7, ...members });
  expect(response.status, response.text).toBe(201);
  return response.json as Pet;
}

/** Creates pets in sequence, so that their ids ascend. */
export async function addPets(api: Api, count: number, members?: Record<string, unknown>): Promise<Pet[]> {
  const pets = [];
  for (let number = 1; number <= count; number += 1) pets.push(await addPet(api, members));
  return pets;
}

export function isReplay({ headers }: ApiResponse): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

/** The ids of a list, in its order. */
export function idsOf(response: ApiResponse): bigint[] {
  expect(response.status, response.text).toBe(200);
  return (response.json as Pet[]).map(({ id }) => id);
}

/** The target of a Link header. */
export function linkOf({ headers }: ApiResponse, rel: string): string | undefined {
  return new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1];
}

/** The cursor of the next page of a list, or an empty text. */
export async function cursorOf(api: Api, query: string): Promise<string> {
  const next = linkOf(await api.get(`/v1/pets?${query}`), 'next');
  return new URLSearchParams(next?.split('?', 2)[1]).get('after') ?? '';
}

/** Reads all pages of a list from `path` on, by the links to the next page. */
export async function walk(api: Api, path: string): Promise<bigint[][]> {
  const pages = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const response: ApiResponse = await api.get(next);
    pages.push(idsOf(response));
    next = linkOf(response, 'next');
  }
  return pages;
}
