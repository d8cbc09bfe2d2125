import { type ErrorBody, errorTable } from '@petstore/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { createOf, headOf, type RawResponse, sendRaw } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

/** Expects a success, or one of the contract's errors with a 4xx status. */
function expectNoFault(response: RawResponse): void {
  if (response.status < 400) return;
  const { code } = JSON.parse(response.text) as ErrorBody;
  expect(errorTable[code].status, response.text).toBeLessThan(500);
  expectError(response, code);
}

/** Sends 100 arbitrary requests. */
function expectNoFaults<Input>(inputs: fc.Arbitrary<Input>, send: (input: Input) => Promise<RawResponse[]>) {
  return fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      for (const response of await send(input)) expectNoFault(response);
    }),
    { numRuns: 100 },
  );
}

const memberName = fc.constantFrom('name', 'categoryId', 'status', 'id', '__proto__', 'constructor', '');
const value = fc.oneof(
  fc.json({ stringUnit: 'binary' }),
  fc.stringMatching(/^"[ \\ud83bceA\t\n]{0,20}"$/),
  fc.stringMatching(/^-?\d{1,25}(\.\d{1,25})?([eE][+-]?\d{1,10})?$/),
);
const object = fc
  .array(fc.tuple(memberName, value), { maxLength: 5 })
  .map((members) => `{${members.map(([name, member]) => `"${name}":${member}`).join(',')}}`);
/** Texts in which a few bytes are removed and others inserted. */
const mutations = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.nat(), fc.nat({ max: 3 }), fc.uint8Array({ maxLength: 4 })).map(([text, at, removed, put]) => {
    const bytes = Buffer.from(text);
    const place = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + removed)]);
  });
const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((sent) => Buffer.from(sent));
const body = fc.oneof(mutations(object), bytes);

/** The characters allowed in a header: Latin-1 without control characters. */
const headerValue = fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,40}$/);
const headerName = fc.constantFrom('content-encoding', 'idempotency-key', 'if-none-match', 'prefer', 'accept', 'range');
const headers = fc
  .tuple(fc.constantFrom({}, { 'content-type': 'application/json' }), fc.dictionary(headerName, headerValue))
  .map(([type, others]): Record<string, string> => ({ ...type, ...others }));

describe('a success or 4xx, never 5xx, is the response to', () => {
  it('any body of POST /v1/pets', () =>
    expectNoFaults(body, async (sent) => {
      const type = { 'content-type': 'application/json' };
      return [await service.api.send('POST', '/v1/pets', { headers: type, body: new Uint8Array(sent) })];
    }));

  it('any headers', () =>
    expectNoFaults(headers, async (sent) => [
      await service.api.send('POST', '/v1/pets', { headers: sent, body: '{"name":"Rex","categoryId":7}' }),
      await service.api.get('/v1/pets', sent),
    ]));

  const parameter = fc.constantFrom('limit', 'status', 'order', 'after', 'id', 'q', 'categoryId', '__proto__');
  const parameterValue = fc.oneof(
    fc.constantFrom('1', 'sold', 'desc', '9223372036854775807', '9223372036854775808'),
    fc.stringMatching(/^[A-Za-z0-9_-]{16}$/),
    fc.string({ unit: 'binary' }),
  );
  const encoded = fc
    .array(fc.tuple(parameter, parameterValue), { maxLength: 4 })
    .map((pairs) => pairs.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&'));
  const raw = fc.stringMatching(/^[!-~]{1,60}$/).map((query) => query.replaceAll('#', ''));

  it('any query of GET /v1/pets, and any petId', () =>
    expectNoFaults(fc.oneof(encoded, raw), async (sent) => [
      await service.api.get(`/v1/pets?${sent}`),
      await service.api.get(`/v1/pets/${sent}`),
    ]));

  it('any bytes of a connection', () => {
    const requests = [headOf('GET /v1/pets?limit=2', service.key), createOf(service.key).join('')];
    const sent = fc.oneof({ weight: 3, arbitrary: mutations(fc.constantFrom(...requests)) }, bytes);
    return expectNoFaults(sent, (some) => sendRaw(service.url, some, { halfClose: true }));
  });
});
