import type { Page } from '../database/expected-answers.js';
import { authorization, type Place, type Target } from '../targets/target.js';

/** A page of the list as a client asks for it: the first one, or the one behind a place. */
export interface PageRequest extends Omit<Page, 'afterId'> {
  place: Place | undefined;
}

const head = Object.entries({ Host: '127.0.0.1', Accept: 'application/json', ...authorization })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Path and query of a page. Peers name a place by its last animal, the service by a cursor. */
export function pagePath({ name }: Pick<Target, 'name'>, { status, limit, place }: PageRequest): string {
  const filter = status === undefined ? '' : `&status=${status}`;
  const after = place === undefined ? '' : `&after=${name === 'service' ? place.cursor : place.afterId}`;
  return `/v1/pets?limit=${limit}${filter}${after}`;
}

/** A whole GET. `headers` are lines that end in CRLF. */
export function getRequest(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\n${head}${headers}\r\n`;
}

/** A whole POST of an animal. */
export function postRequest(body: string): string {
  const length = Buffer.byteLength(body);
  return `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}
