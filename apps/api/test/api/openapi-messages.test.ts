import { type ErrorCode, errorCodes, errorTable } from '@petstore/contracts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { databaseAway, DomainError } from '../../src/platform/errors/domain-error.js';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { Api } from '../support/api.js';
import { nodesOf } from '../support/openapi.js';
import { sendOne, sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let limited: TestApp;
const examples: { path: string; code: string; message: string }[] = [];
beforeAll(async () => {
  service = await startTestApp();
  limited = await startTestApp({ rateLimitPerMinute: 1 });
  for (const [path, { examples: bodies }] of nodesOf((await service.api.get('/openapi.json')).json)) {
    for (const [code, { value }] of Object.entries(bodies ?? {})) {
      if (value?.['message']) examples.push({ path, code, message: String(value['message']) });
    }
  }
});
afterAll(async () => {
  await service.close();
  await limited.close();
});

const rex = { name: 'Rex', categoryId: 7 };
const latin1 = new Uint8Array([0x7b, 0xff, 0x7d]);
const json = { 'content-type': 'application/json' };
const create = (body: unknown, headers?: Record<string, string>) => service.api.post('/v1/pets', body, headers);

async function withScope(scope: 'read' | 'write'): Promise<Api> {
  const { key } = await service.keys.create(scope, [scope], null);
  await service.app.get(ApiKeyRing).reload();
  return new Api(service.url, key);
}

const bodyOf = ({ message }: Error) => Promise.resolve({ text: JSON.stringify({ message }) });

/** For each code a request that causes it, or the error itself if no single request can. */
const causes: Record<ErrorCode, () => Promise<{ text: string }>> = {
  invalid_json: () => service.api.send('POST', '/v1/pets', { body: latin1, headers: json }),
  invalid_body: () => create({ categoryId: '7' }),
  invalid_query: () => service.api.get('/v1/pets?limit=0'),
  invalid_cursor: () => service.api.get('/v1/pets?after=x'),
  invalid_idempotency_key: () => create(rex, { 'idempotency-key': 'a b' }),
  bad_request: async () => only(await sendRaw(service.url, 'GET /v1/pets HTTP/1.1\r\n: a\r\n\r\n')),
  missing_api_key: () => new Api(service.url).get('/v1/pets'),
  invalid_api_key: () => new Api(service.url, 'psk_wrong').get('/v1/pets'),
  insufficient_scope: async () => (await withScope('write')).get('/v1/pets'),
  pet_not_found: () => service.api.get('/v1/pets/0'),
  route_not_found: () => service.api.get('/v1/nothing'),
  method_not_allowed: () => service.api.send('DELETE', '/v1/pets'),
  payload_too_large: () => create({ ...rex, name: 'x'.repeat(70_000) }),
  unsupported_media_type: () => create('x', { 'content-type': 'text/plain' }),
  headers_too_large: () => sendOne(service.url, 'GET /v1/pets HTTP/1.1', [`X: ${'x'.repeat(17_000)}`]),
  request_timeout: async () => {
    Object.assign(service.app.getHttpServer(), { headersTimeout: 200, requestTimeout: 200 });
    const responses = await sendRaw(service.url, 'GET /v1/pets HTTP/1.1\r\n');
    Object.assign(service.app.getHttpServer(), { headersTimeout: 10_000, requestTimeout: 30_000 });
    return only(responses);
  },
  idempotency_key_reused: async () => {
    await create(rex, { 'idempotency-key': 'reused' });
    return create({ ...rex, name: 'Max' }, { 'idempotency-key': 'reused' });
  },
  rate_limited: async () => {
    await limited.api.get('/v1/pets');
    return limited.api.get('/v1/pets');
  },
  gone: async () => {
    service.clock.time = new Date('2030-12-05T00:00:00Z');
    const response = await service.api.get('/v1/pets/1');
    service.clock.time = undefined;
    return response;
  },
  internal_error: async () => {
    const fault = vi.spyOn(service.clock, 'now').mockImplementation(() => {
      throw new Error('A fault of the test.');
    });
    const response = await service.api.get('/v1/pets');
    fault.mockRestore();
    return response;
  },
  idempotency_key_in_use: () => bodyOf(new DomainError('idempotency_key_in_use')),
  service_unavailable: () => bodyOf(databaseAway()),
};

function only<T>([response]: T[]): T {
  if (response === undefined) throw new Error('The service sent no response.');
  return response;
}

const messageIn = (text: string) => (JSON.parse(text) as { message: string }).message;
/** The limits and the seconds differ between installations. */
const withoutRates = (message: string) =>
  message.replace(/\d+ requests/, 'N requests').replace(/in \d+ s\./, 'in N s.');

it.each(errorCodes)('The OpenAPI document shows the message that the service sends: %s', async (code) => {
  const message = withoutRates(messageIn((await causes[code]()).text));
  const shown = examples.filter((example) => example.code === code && !isCreateScope(example));
  for (const example of shown) expect([example.path, withoutRates(example.message)]).toEqual([example.path, message]);
  expect(withoutRates(errorTable[code].message)).toBe(message);
});

it('The OpenAPI document names the scope that createPet requires', async () => {
  const { text } = await (await withScope('read')).post('/v1/pets', rex);
  expect(examples.filter(isCreateScope).map(({ message }) => message)).toEqual([messageIn(text)]);
});

function isCreateScope({ path, code }: { path: string; code: string }): boolean {
  return code === 'insufficient_scope' && path.includes('/post/');
}
