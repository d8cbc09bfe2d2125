import { type ErrorBody, errorTable } from '@petstore/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** The contract's errors with a 4xx status. */
function expectClientError(response: { status: number; headers: Headers; text: string }): void {
  const { code } = JSON.parse(response.text) as ErrorBody;
  expect(errorTable[code].status, response.text).toBeLessThan(500);
  expectError(response, code);
}

const memberName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('name', 'categoryId', 'status') },
  fc.constantFrom('id', '__proto__', 'constructor', 'toString', ''),
  fc.string({ unit: 'binary', maxLength: 10 }),
);
const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
  fc.double().map(String),
  fc.stringMatching(/^-?\d{1,25}(\.\d{1,25})?([eE][+-]?\d{1,10})?$/),
);
const value = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.stringMatching(/^"[ \\ud83bceA\t\n]{0,20}"$/),
  fc.constantFrom('"available"', '"sold"', 'null', 'true', '[]', '{}', `"${'x'.repeat(201)}"`),
  number,
  fc.json(),
);
const object = fc.array(fc.tuple(memberName, value), { maxLength: 5 }).map((members) => {
  const written = members.map(([name, member]) => `${JSON.stringify(name)}:${member}`);
  return `{${written.join(',')}}`;
});
const nearlyValid = fc.tuple(value, number).map(([name, categoryId]) => `{"name":${name},"categoryId":${categoryId}}`);
/** Texts in which a few bytes are removed and others inserted. */
const mutations = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.nat(), fc.nat({ max: 3 }), fc.uint8Array({ maxLength: 4 })).map(([text, at, removed, put]) => {
    const bytes = Buffer.from(text);
    const place = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + removed)]);
  });
const body = fc.oneof(
  nearlyValid.map((text) => Buffer.from(text)),
  object.map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text)),
  mutations(fc.oneof(nearlyValid, object)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

/** The characters allowed in a header: Latin-1 without control characters. */
const headerValue = fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,40}$/);

describe('POST /v1/pets', () => {
  it('returns 201 or 4xx, never 500, for any body', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const headers = { 'content-type': 'application/json' };
        const response = await service.api.send('POST', '/v1/pets', { headers, body: new Uint8Array(bytes) });
        if (response.status !== 201) expectClientError(response);
      }),
      { numRuns: 200 },
    );
  });

  it('returns every valid body exactly as it was sent', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => text.trim() !== '' && [...text].length <= 200);
    const categoryId = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const status = fc.constantFrom('available', 'pending', 'sold');
    await fc.assert(
      fc.asyncProperty(fc.record({ name, categoryId, status }), async (pet) => {
        const response = await service.api.post('/v1/pets', pet);
        const { id } = response.json as { id: bigint };
        expect(response.json).toEqual({ id, ...pet });
        expect((await service.api.get(`/v1/pets?id=${id}`)).json).toEqual([response.json]);
      }),
      { numRuns: 50 },
    );
  });

  it('returns 201 or 4xx, never 500, for any headers', async () => {
    const headers = fc.record(
      {
        'content-type': fc.oneof(headerValue, fc.constant('application/json')),
        'content-encoding': headerValue,
        'idempotency-key': headerValue,
        prefer: headerValue,
        accept: headerValue,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(headers, async (values) => {
        const response = await service.api.send('POST', '/v1/pets', {
          headers: values,
          body: '{"name":"Rex","categoryId":7}',
        });
        if (response.status !== 201) expectClientError(response);
      }),
      { numRuns: 100 },
    );
  });
});

describe('GET /v1/pets', () => {
  const parameter = fc.oneof(
    fc.constantFrom('limit', 'status', 'order', 'after', 'id', '__proto__'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const values = fc.oneof(
    fc.constantFrom('1', '100', '0', 'sold', 'asc', 'desc', '-1', '9223372036854775807', '9223372036854775808'),
    fc.stringMatching(/^-?\d{1,25}$/),
    fc.stringMatching(/^[A-Za-z0-9_-]{18}$/),
    fc.string({ unit: 'binary' }),
  );
  const encoded = fc
    .array(fc.tuple(parameter, values), { maxLength: 4 })
    .map((pairs) => pairs.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&'));
  const raw = fc.stringMatching(/^[!-~]{0,60}$/).map((query) => query.replaceAll('#', ''));

  it('returns 200 or 400, never 500, for any query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(encoded, raw), async (query) => {
        const response = await service.api.get(`/v1/pets?${query}`);
        if (response.status !== 200) expectClientError(response);
      }),
      { numRuns: 200 },
    );
  });

  it('returns 200 or 304 for any headers', async () => {
    const headers = fc.record(
      { 'if-none-match': headerValue, prefer: headerValue, accept: headerValue, range: headerValue },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(headers, async (sent) => {
        expect([200, 304]).toContain((await service.api.get('/v1/pets', sent)).status);
      }),
      { numRuns: 100 },
    );
  });
});

describe('GET /v1/pets/{petId}', () => {
  it('returns 200, 400 or 404, never 500, for any path', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text)),
          fc.stringMatching(/^[!-~]{1,40}$/),
        ),
        async (petId) => {
          const response = await service.api.get(`/v1/pets/${petId}`);
          if (response.status !== 200) expectClientError(response);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a connection', () => {
  const key = () => `Authorization: Bearer ${service.key}`;
  const animal = '{"name":"Rex","categoryId":7}';
  const head = (line: string, ...headers: string[]) =>
    `${[`${line} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;
  const live = () => head('GET /healthz');
  const list = () => head('GET /v1/pets?limit=2', key());
  const create = () =>
    head('POST /v1/pets', key(), 'Content-Type: application/json', `Content-Length: ${animal.length}`) + animal;
  const bytes = fc.oneof(
    { weight: 3, arbitrary: mutations(fc.constantFrom(live, list, create).map((request) => request())) },
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((sent) => Buffer.from(sent)),
  );

  it('gets 4xx or a result, never 500, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const responses = await sendRaw(service.url, sent, { halfClose: true });
        for (const response of responses) if (response.status >= 400) expectClientError(response);
      }),
      { numRuns: 200 },
    );
  });
});
