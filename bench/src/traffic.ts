import { type PetStatus, petStatuses } from '@petstore/contracts';
import type { Client } from 'pg';
import { afterId, expectedAnimals, expectedPage, type Page } from './animals.js';
import type { Exchange } from './load.js';
import { authorization, type Target } from './targets.js';

/** A position in the list between two pages. */
interface Place {
  readonly status: PetStatus | undefined;
  /** The id of the animal before it. */
  readonly afterId: number;
  /** The cursor from the service's Link header. */
  readonly cursor: string;
}

/** A page of the list: the first page, or the page after a position. */
export interface PageRequest extends Omit<Page, 'afterId'> {
  readonly place: Place | undefined;
}

const filters = [undefined, ...petStatuses];
/** Weighted by repetition. */
const limits = [10, 20, 20, 20, 20, 20, 20, 50, 50, 100];
/** One of this many pages is the first page. The others are random. */
const firstPageIn = 4;
const mixLength = 2_000;
const walkLimit = 100;
/** The number of different gets and creates. */
const requestCount = 20_000;
const breeds = ['Cat', 'Dog', 'Guinea pig', 'Budgerigar', 'Pony', 'Hedgehog', 'Corn snake', 'Axolotl', 'Übersee-Gans'];

const head = Object.entries({ Host: '127.0.0.1', Accept: 'application/json', ...authorization })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

export const samePage: PageRequest = { status: 'available', limit: 20, place: undefined };

/** Returns path and query of a page. Peers use the last id as the cursor. */
function pagePath({ name }: Pick<Target, 'name'>, { status, limit, place }: PageRequest): string {
  const filter = status === undefined ? '' : `&status=${status}`;
  const after = place === undefined ? '' : `&after=${name === 'service' ? place.cursor : place.afterId}`;
  return `/v1/pets?limit=${limit}${filter}${after}`;
}

/** Returns a fixed sequence of different pages. */
export async function mixPages(service: Target): Promise<PageRequest[]> {
  const random = new Random(1);
  const walks = filters.map(async (status) => {
    // Without the last position: the page after it changes with each create.
    return [status, (await walk(service, { status, limit: walkLimit })).slice(0, -1)] as const;
  });
  const places = new Map(await Promise.all(walks));
  return Array.from({ length: mixLength }, () => {
    const [status, limit] = [random.pick(filters), random.pick(limits)];
    const known = places.get(status) ?? [];
    const isFirst = random.below(firstPageIn) === 0 || known.length === 0;
    return { status, limit, place: isFirst ? undefined : random.pick(known) };
  });
}

/** Returns the requests for pages in the target's form, with the expected bodies from the database. */
export async function listExchanges(target: Target, pages: readonly PageRequest[], database: Client) {
  const known = new Map<string, Exchange>();
  const exchanges: Exchange[] = [];
  for (const page of pages) {
    const path = pagePath(target, page);
    const body =
      known.get(path)?.body ?? (await expectedPage(database, { ...page, afterId: page.place?.afterId ?? 0 }));
    const exchange = known.get(path) ?? { request: getRequest(path), status: 200, body };
    known.set(path, exchange);
    exchanges.push(exchange);
  }
  return exchanges;
}

/** Gets of random animals. */
export async function getExchanges(database: Client, animals: number): Promise<Exchange[]> {
  const random = new Random(2);
  const ids = Array.from({ length: requestCount }, () => 1 + random.below(animals));
  const bodies = await expectedAnimals(database, ids);
  return ids.map((id) => ({ request: getRequest(`/v1/pets/${id}`), status: 200, body: bodies.get(id) ?? '' }));
}

/** Creates of different animals. */
export function createExchanges(): Exchange[] {
  const random = new Random(3);
  return Array.from({ length: requestCount }, (_, index) => {
    const name = `${random.pick(breeds)} ${index + 1}`;
    const animal = { name, categoryId: 1 + random.below(500), status: random.pick(petStatuses) };
    return { request: postRequest(JSON.stringify(animal)), status: 201, body: afterId(animal), assignsId: true };
  });
}

/** Reads a list of the service by its Link headers. Returns the positions between its pages. */
async function walk(service: Target, { status, limit }: Omit<PageRequest, 'place'>): Promise<Place[]> {
  const places: Place[] = [];
  for (let path: string | undefined = pagePath(service, { status, limit, place: undefined }); path !== undefined;) {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: authorization });
    const last = ((await response.json()) as { id: number }[]).at(-1);
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    const cursor = path && new URL(path, 'http://service').searchParams.get('after');
    if (last && cursor) places.push({ status, afterId: last.id, cursor });
  }
  return places;
}

/** The bytes of a GET. */
export function getRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\n${head}\r\n`;
}

function postRequest(body: string): string {
  const length = Buffer.byteLength(body);
  return `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** A pseudo-random generator with the same numbers in every run (mulberry32). */
class Random {
  constructor(private state: number) {}

  /** An integer from 0 to `end` - 1. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  /** A random item of a list that is not empty. */
  pick<Item>(list: readonly Item[]): Item {
    return list[this.below(list.length)] as Item;
  }
}
