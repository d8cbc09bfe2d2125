import { addAnimals, settle } from '../database/animals.js';
import { type Context, startService } from '../targets/start-targets.js';
import type { Place, Target } from '../targets/target.js';
import { walk } from '../targets/walk.js';
import type { PageRequest } from '../traffic/requests.js';
import type { Client } from 'pg';

/** A service with its own table of this size. */
export interface GrownTable {
  readonly animals: number;
  readonly service: Target & { database: Client };
  readonly pages: Readonly<Record<PagePlace, readonly PageRequest[]>>;
  readonly fillSeconds: number;
}

export const pagePlaces = ['first', 'middle', 'last'] as const;
export type PagePlace = (typeof pagePlaces)[number];

const limit = 20;
const filters = [undefined, 'available'] as const;

/** Creates the table and finds pages at its start, middle and end. */
export async function growTable(context: Context, animals: number): Promise<GrownTable> {
  const service = await startService(context, `growth_${animals}`);
  const { database } = service;
  // The animals of the middle and the end come first: a short walk then returns the cursors for these places.
  const middle = Math.floor(animals / 2);
  const around = { from: middle - 99, to: middle + 100 };
  const end = { from: animals - 159, to: animals };
  for (const range of [around, end]) await addAnimals(database, range);
  await database.query(`UPDATE pet SET status = 'available'`);
  const places = await Promise.all(filters.map((status) => walk(service, { status, limit })));
  const begin = performance.now();
  await addAnimals(database, { from: 1, to: around.from - 1 });
  await addAnimals(database, { from: around.to + 1, to: end.from - 1 });
  await settle(database);
  const pages = {
    first: filters.map((status) => ({ status, limit, place: undefined })),
    middle: places.map((found) => pageAfter(found.places[100 / limit - 1])),
    last: places.map((found) => pageAfter(found.places.at(-1))),
  };
  return { animals, service, pages, fillSeconds: (performance.now() - begin) / 1_000 };
}

function pageAfter(place: Place | undefined): PageRequest {
  return { status: place?.status, limit, place };
}
