import { apiKey } from '@petstore/processes/service-process.js';
import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';
import { firstResponse } from './responses.js';
import { exchange } from './exchange.js';

const authorization = `Authorization: Bearer ${apiKey}\r\n`;
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${headers}\r\n`;
const post = (headers: string, body: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${authorization}${headers}\r\n${body}`;
const json = 'Content-Type: application/json\r\n';
const twoMegabytes = 'x'.repeat(2_000_000);

type Statuses = readonly (number | undefined)[];

/** The service stops reading. Bytes in transit may reset the connection before the response is read. */
const [tooLongHead, tooLongBody]: [Statuses, Statuses] = [
  [431, undefined],
  [413, undefined],
];

/** Oversized requests and the expected statuses. */
const oversized: readonly (readonly [what: string, request: string, statuses: Statuses])[] = [
  ['path', get(`/v1/pets/${twoMegabytes}`), tooLongHead],
  ['header', get('/v1/pets', `X-Long: ${twoMegabytes}\r\n`), tooLongHead],
  ['number of headers', get('/v1/pets', 'X-One-Of-Many: 1\r\n'.repeat(5000)), tooLongHead],
  ['body', post(`${json}Content-Length: ${twoMegabytes.length}\r\n`, twoMegabytes), tooLongBody],
  [
    'body in chunks',
    post(`${json}Transfer-Encoding: chunked\r\n`, `1e8480\r\n${twoMegabytes}\r\n0\r\n\r\n`),
    tooLongBody,
  ],
  ['nesting', withBody('['.repeat(30_000)), [400]],
  ['number', withBody(`{"name":"Rex","categoryId":1e${'9'.repeat(30_000)}}`), [400]],
];

/** Returns the number of kinds. */
export async function sendOversized({ port }: Service, tally: Tally): Promise<number> {
  for (const [what, request, statuses] of oversized) {
    const { received } = await exchange(port, Buffer.from(request));
    const status = firstResponse(received)?.status;
    tally.expect(statuses.includes(status), `an oversized ${what} got ${status ?? 'no response'}`);
  }
  return oversized.length;
}

/** Pipelines many requests on one connection. Each must get its response, in order. */
export async function pipeline({ port }: Service, count: number, tally: Tally): Promise<void> {
  const paths = Array.from({ length: count }, (_, at) => `/v1/pets?limit=${1 + (at % 100)}`);
  const { received } = await exchange(port, Buffer.from(paths.map((path) => get(path)).join('')));
  const links = [...received.matchAll(/\r\nlink: <[^>]*limit=(\d+)/gi)].map(([, limit]) => Number(limit));
  const expected = paths.map((_, at) => 1 + (at % 100));
  const given = links.length;
  tally.expect(links.join() === expected.join(), `${count} requests on one connection got ${given} responses in order`);
}

function withBody(body: string): string {
  return post(`${json}Content-Length: ${body.length}\r\n`, body);
}
