import { METHODS } from 'node:http';
import fc from 'fast-check';
import { apiKey } from '@petstore/processes/service-process.js';

/** The part of the OpenAPI document about paths. */
export interface Paths {
  paths: Record<string, Record<string, unknown>>;
}

const text = fc.string({ unit: 'binary', maxLength: 20 });
const printable = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,40}$/);
const word = fc.stringMatching(/^[A-Za-z0-9%._~!$&'()*+,;=:@/-]{0,12}$/);
const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
  fc.double().map(String),
  fc.stringMatching(/^-?\d{1,25}(\.\d{1,25})?([eE][+-]?\d{1,10})?$/),
);
const value = fc.oneof(
  text.map((given) => JSON.stringify(given)),
  fc.constantFrom('"available"', '"sold"', 'null', 'true', '[]', '{}', '"\\ud800"', '"\\u0000"'),
  number,
  fc.json({ maxDepth: 3 }),
);
const member = fc.constantFrom('name', 'categoryId', 'status', 'id', '__proto__', 'constructor', '');
const body = fc.oneof(
  fc.constantFrom('{"name":"Rex","categoryId":7}', '{"name":"Bella","categoryId":1e2,"status":"sold"}'),
  fc.tuple(value, number).map(([name, categoryId]) => `{"name":${name},"categoryId":${categoryId}}`),
  fc.array(fc.tuple(member, value), { maxLength: 5 }).map(toObject),
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constant(''),
);
const parameter = fc.constantFrom('limit', 'status', 'order', 'after', 'id', 'Limit', '__proto__', 'page');
const query = fc.array(fc.tuple(parameter, fc.oneof(word, number, fc.constantFrom('sold', 'desc', '20'))), {
  maxLength: 4,
});
const header = fc.tuple(
  fc.constantFrom(
    'Content-Type',
    'Content-Encoding',
    'Idempotency-Key',
    'If-None-Match',
    'Prefer',
    'Accept',
    'Expect',
    'Connection',
    'X-Request-Id',
    'X-Forwarded-For',
    'Origin',
    'Upgrade',
    'Range',
    'Authorization',
  ),
  printable,
);

/** Complete requests to the document's paths and similar ones, with any method, query, headers and body. */
export function requests({ paths }: Paths): fc.Arbitrary<Buffer> {
  const path = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.keys(paths)), fc.oneof(word, fc.constant('1')))
        .map(([given, id]) => `/v1${given.replace('{petId}', id)}`),
    },
    fc.constantFrom('/', '/docs', '/openapi.json', '/healthz', '/readyz', '/v1', '/v1/store/orders', '*'),
    word.map((rest) => `/${rest}`),
  );
  const method = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('GET', 'POST') }, fc.constantFrom(...METHODS));
  return fc
    .record({
      method,
      path,
      query,
      headers: fc.array(header, { maxLength: 4 }),
      body,
      hasKey: fc.nat(9).map((chance) => chance > 0),
    })
    .map(toRequest);
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

interface Parts {
  method: string;
  path: string;
  query: [string, string][];
  headers: [string, string][];
  body: string;
  hasKey: boolean;
}

function toRequest(parts: Parts): Buffer {
  const target = `${parts.path}${parts.query.map(([name, given], at) => `${at === 0 ? '?' : '&'}${name}=${given}`).join('')}`;
  const bytes = Buffer.from(parts.body);
  const lines = [
    `${parts.method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...(parts.hasKey ? [`Authorization: Bearer ${apiKey}`] : []),
    ...(parts.method === 'POST' ? ['Content-Type: application/json'] : []),
    ...parts.headers.map(([name, given]) => `${name}: ${given}`),
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

function toObject(members: [string, string][]): string {
  return `{${members.map(([name, given]) => `${JSON.stringify(name)}:${given}`).join(',')}}`;
}
