import type { Page } from '../database/expected-responses.js';
import { authorization, type Place, type Target } from '../targets/target.js';

/** A page of the list: the first page, or the page after a position. */
export interface PageRequest extends Omit<Page, 'afterId'> {
  place: Place | undefined;
}

const head = Object.entries({ Host: '127.0.0.1', Accept: 'application/json', ...authorization })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Returns path and query of a page. Peers use the last id as the cursor. */
export function pagePath({ name }: Pick<Target, 'name'>, { status, limit, place }: PageRequest): string {
  const filter = status === undefined ? '' : `&status=${status}`;
  const after = place === undefined ? '' : `&after=${name === 'service' ? place.cursor : place.afterId}`;
  return `/v1/pets?limit=${limit}${filter}${after}`;
}

/** Builds a GET request. `headers` are lines that end with CRLF. */
export function getRequest(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\n${head}${headers}\r\n`;
}

/** Builds a POST request that creates an animal. */
export function postRequest(body: string): string {
  const length = Buffer.byteLength(body);
  return `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}
