import { type PetStatus, petStatuses } from '@petstore/contracts';
import type { Client } from 'pg';
import { expectedPage } from '../database/expected-responses.js';
import type { Exchange } from '../load/load-job.js';
import type { Place, Target } from '../targets/target.js';
import { walk } from '../targets/walk.js';
import { Random } from './random.js';
import { getRequest, pagePath, type PageRequest } from './requests.js';

const filters = [undefined, ...petStatuses];
/** Weighted by repetition. */
const limits = [10, 20, 20, 20, 20, 20, 20, 50, 50, 100];
/** One of this many pages is the first page. The others are random. */
const firstPageIn = 4;
const mixLength = 2_000;
const walkLimit = 100;

export const samePage: PageRequest = { status: 'available', limit: 20, place: undefined };

/**
 * Returns a fixed sequence of different pages.
 * @throws Error if the list does not return every animal once.
 */
export async function mixPages(service: Target & { database: Client }): Promise<PageRequest[]> {
  const random = new Random(1);
  const places = new Map<PetStatus | undefined, Place[]>();
  await Promise.all(filters.map(async (status) => places.set(status, await walkAll(service, status))));
  return Array.from({ length: mixLength }, () => {
    const status = random.pick(filters);
    const limit = random.pick(limits);
    const known = places.get(status) ?? [];
    return {
      status,
      limit,
      place: random.below(firstPageIn) === 0 || known.length === 0 ? undefined : random.pick(known),
    };
  });
}

/** Returns the requests for pages in the target's form, with the expected bodies from the database. */
export async function listExchanges(
  target: Target,
  pages: readonly PageRequest[],
  database: Client,
): Promise<Exchange[]> {
  const cached = new Map<string, Exchange>();
  const exchanges: Exchange[] = [];
  for (const page of pages) {
    const path = pagePath(target, page);
    const body =
      cached.get(path)?.body ?? (await expectedPage(database, { ...page, afterId: page.place?.afterId ?? 0 }));
    const exchange = cached.get(path) ?? { request: getRequest(path), status: 200, body };
    cached.set(path, exchange);
    exchanges.push(exchange);
  }
  return exchanges;
}

async function walkAll(service: Target & { database: Client }, status: PetStatus | undefined): Promise<Place[]> {
  const { places, animals } = await walk(service, { status, limit: walkLimit });
  const { rows } = await service.database.query<{ count: string }>(
    'SELECT count(*) FROM pet WHERE $1::"PetStatus" IS NULL OR status = $1',
    [status ?? null],
  );
  // Without the last position: the page after it changes with each create.
  if (animals === Number(rows[0]?.count)) return places.slice(0, -1);
  throw new Error(`The list of ${status ?? 'all'} returned ${animals} animals. Expected: ${rows[0]?.count}.`);
}
