import { METHODS } from 'node:http';
import { apiKey } from '@petstore/processes/service-process.js';
import fc from 'fast-check';

/** The part of the OpenAPI document about paths. */
export interface Paths {
  readonly paths: Record<string, unknown>;
}

const headers = [
  'Content-Type: application/json',
  'Content-Encoding: gzip',
  'Idempotency-Key: one',
  'If-None-Match: *',
  'Prefer: count=exact',
  'Expect: something-else',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'X-Forwarded-For: 203.0.113.9',
  'Origin: http://localhost',
  'Range: bytes=0-1',
];
const bodies = ['', '{"name":"Rex","categoryId":7}', '{"name":"Bella","categoryId":1e2,"status":"sold"}', '[]', '{'];
const queries = ['', '?limit=5', '?limit=0', '?status=sold&order=desc', '?after=x', '?id=1', '?__proto__=1'];
const otherPaths = ['/', '/docs', '/openapi.json', '/healthz', '/readyz', '/v1', '/v1/store/orders', '*'];

/** Complete requests to the document's paths and others, with any method. The API tests vary their values. */
export function requests({ paths }: Paths): fc.Arbitrary<Buffer> {
  const known = Object.keys(paths).map((path) => `/v1${path.replace('{petId}', '1')}`);
  const parts = fc.record({
    method: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('GET', 'POST') }, fc.constantFrom(...METHODS)),
    path: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, fc.constantFrom(...otherPaths)),
    query: fc.constantFrom(...queries),
    lines: fc.subarray(headers, { maxLength: 4 }),
    body: fc.constantFrom(...bodies),
    hasKey: fc.nat(9).map((chance) => chance > 0),
  });
  return parts.map(({ method, path, query, lines, body, hasKey }) => {
    const key = hasKey ? [`Authorization: Bearer ${apiKey}`] : [];
    const head = [`${method} ${path}${query} HTTP/1.1`, 'Host: localhost', ...key, ...lines];
    return Buffer.from(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, 'latin1');
  });
}

/** A request with bytes inserted, removed or cut off. */
export function mutations(whole: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  const change = fc.record({ at: fc.nat(), removed: fc.nat({ max: 8 }), put: fc.uint8Array({ maxLength: 8 }) });
  return fc.tuple(whole, fc.array(change, { minLength: 1, maxLength: 3 })).map(([bytes, changes]) => {
    let changed = bytes;
    for (const { at, removed, put } of changes) {
      const place = at % (changed.length + 1);
      changed = Buffer.concat([changed.subarray(0, place), put, changed.subarray(place + removed)]);
    }
    return changed;
  });
}

export const rawBytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes));
