import { petStatuses } from '@petstore/contracts';
import { authorization, type Target } from './targets.js';

/** A page in the form of the service, whose cursors are opaque, and of its peers, whose cursors are ids. */
interface Page {
  service: string;
  peer: string;
}

const head = Object.entries({ Host: '127.0.0.1', Accept: 'application/json', ...authorization })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');
const breeds = ['Cat', 'Dog', 'Guinea pig', 'Budgerigar', 'Pony', 'Hedgehog', 'Corn snake', 'Axolotl', 'Übersee-Gans'];
/** Weighted by repetition. */
const limits = [10, 20, 20, 20, 20, 20, 20, 50, 50, 100];
const mixLength = 2_000;
const requestCount = 20_000;

/** The bytes of a GET. */
export function getRequest(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\n${head}${headers}\r\n`;
}

/** Gets of random animals. */
export function getRequests(animals: number): string[] {
  const below = random(2);
  return Array.from({ length: requestCount }, () => getRequest(`/v1/pets/${1 + below(animals)}`));
}

/** Creates of different animals. */
export function createRequests(): string[] {
  const below = random(3);
  return Array.from({ length: requestCount }, (_, index) => {
    const name = `${pick(breeds, below)} ${index + 1}`;
    const body = JSON.stringify({ name, categoryId: 1 + below(500), status: pick(petStatuses, below) });
    const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return `POST /v1/pets HTTP/1.1\r\n${head}${type}\r\n${body}`;
  });
}

/** A quarter first pages; the others begin anywhere. Some have a status. */
export async function mixPages(service: Target): Promise<Page[]> {
  const below = random(1);
  const filters = ['', ...petStatuses.map((status) => `&status=${status}`)];
  const cursors = await Promise.all(filters.map((filter) => readCursors(service, filter)));
  return Array.from({ length: mixLength }, () => {
    const index = below(filters.length);
    const path = `/v1/pets?limit=${pick(limits, below)}${filters[index]}`;
    if (below(4) === 0) return { service: path, peer: path };
    const { cursor, id } = pick(cursors[index] ?? [], below);
    return { service: `${path}&after=${cursor}`, peer: `${path}&after=${id}` };
  });
}

/** Returns the requests for pages in the form of the target. */
export function listRequests({ name }: Target, pages: readonly Page[]): string[] {
  return pages.map(({ service, peer }) => getRequest(name === 'service' ? service : peer));
}

/** Reads a list of the service by its Link headers. Returns the cursors of its pages, and the id before each. */
async function readCursors({ port }: Target, filter: string) {
  const cursors: { cursor: string; id: number }[] = [];
  for (let path: string | undefined = `/v1/pets?limit=100${filter}`; path !== undefined;) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization });
    const last = ((await response.json()) as { id: number }[]).at(-1);
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    const cursor = path && new URL(path, 'http://service').searchParams.get('after');
    if (last && cursor) cursors.push({ cursor, id: last.id });
  }
  return cursors;
}

/** Pseudo-random integers from 0 to `end` - 1, the same in every run. */
function random(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * end);
  };
}

function pick<Item>(list: readonly Item[], below: (end: number) => number): Item {
  return list[below(list.length)] as Item;
}
