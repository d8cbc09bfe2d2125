import { type ErrorCode, errorCodes, errorTable } from '@petstore/contracts';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseAway, DomainError } from '../../src/platform/errors/domain-error.js';
import { Api } from '../support/api.js';
import { type Node, nodesOf } from '../support/openapi.js';
import { onlyResponse, sendOne } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

interface Example {
  /** The position in the document. */
  path: string;
  schema: Node;
  value: unknown;
}

const service = useTestApp();
const limited = useTestApp({ rateLimitPerMinute: 1 });
let document: Node;
beforeAll(async () => {
  document = JSON.parse((await service.api.get('/openapi.json')).text) as Node;
});

describe('the examples of /openapi.json', () => {
  let examples: Example[];
  /** Fastify's own validator with the schemas of the document. */
  let validator: FastifyInstance;
  beforeAll(() => {
    examples = [...nodesOf(document)].flatMap(([path, node]) => examplesOf(path, node));
    const customOptions = { strict: false, coerceTypes: false, removeAdditional: false, useDefaults: false };
    validator = fastify({ ajv: { customOptions } }).addSchema({ $id: 'openapi', ...document });
    examples.forEach(({ schema }, number) => {
      const body = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
      validator.post(`/${number}`, { schema: { body } }, () => ({}));
    });
  });
  afterAll(() => validator.close());

  /** Examples of a media type, header or parameter, and of a schema itself. */
  function examplesOf(path: string, node: Node): Example[] {
    const schema = node['schema'] ?? (node['type'] || node['allOf'] ? node : undefined);
    if (!schema) return [];
    const several = Object.entries(node['examples'] ?? {}).map(([name, { value }]) => ({
      path: `${path}/${name}`,
      value,
    }));
    return [{ path, value: node['example'] }, ...several]
      .filter(({ value }) => value !== undefined)
      .map((example) => ({ ...example, schema }));
  }

  /** Validates a value with the schema of an example. Returns the error, or an empty string. */
  async function faultOf(number: number, value: unknown): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const payload = JSON.stringify(value);
    const response = await validator.inject({ method: 'POST', url: `/${number}`, payload, headers });
    return response.statusCode === 200 ? '' : response.body;
  }

  it('match their schemas, which reject other values', async () => {
    expect(examples.length).toBeGreaterThan(50);
    for (const [number, { path, value }] of examples.entries()) {
      expect([path, await faultOf(number, value)]).toEqual([path, '']);
      expect([path, await faultOf(number, { something: 'else' })]).not.toEqual([path, '']);
    }
  });
});

const rex = { name: 'Rex', categoryId: 7 };
const create = (body: unknown, headers?: Record<string, string>) => service.api.post('/v1/pets', body, headers);
const bodyOf = ({ message }: Error) => Promise.resolve({ text: JSON.stringify({ message }) });
const withScope = async (scope: 'read' | 'write') => new Api(service.url, await service.newKey(scope));

/** For each code a request that causes it, or the error itself if no single request can. */
const causes: Record<ErrorCode, () => Promise<{ text: string }>> = {
  invalid_json: () =>
    service.api.send('POST', '/v1/pets', {
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
      headers: { 'content-type': 'application/json' },
    }),
  invalid_body: () => create({ categoryId: '7' }),
  invalid_query: () => service.api.get('/v1/pets?limit=0'),
  invalid_cursor: () => service.api.get('/v1/pets?after=x'),
  invalid_idempotency_key: () => create(rex, { 'idempotency-key': 'a b' }),
  bad_request: () => onlyResponse(service.url, 'GET /v1/pets HTTP/1.1\r\n: a\r\n\r\n'),
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
    const response = await onlyResponse(service.url, 'GET /v1/pets HTTP/1.1\r\n');
    Object.assign(service.app.getHttpServer(), { headersTimeout: 10_000, requestTimeout: 30_000 });
    return response;
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

describe('the messages of /openapi.json', () => {
  const messageIn = (text: string) => (JSON.parse(text) as { message: string }).message;
  /** The limits and the seconds differ between installations. */
  const withoutRates = (message: string) =>
    message.replace(/\d+ requests/, 'N requests').replace(/in \d+ s\./, 'in N s.');

  /** The messages that an operation, or all of them, show for a code. */
  const shown = (code: ErrorCode, place = '') =>
    [...nodesOf(document)]
      .filter(([path]) => path.includes(place))
      .map(([, { examples }]) => examples?.[code]?.['value']?.['message'])
      .filter((message) => message !== undefined)
      .map(String);

  /** Where the message does not depend on the operation. */
  const places: Partial<Record<ErrorCode, string>> = { insufficient_scope: '/get/', invalid_query: '/pets/get/' };

  it.each(errorCodes)('are those that the service sends: %s', async (code) => {
    const message = withoutRates(messageIn((await causes[code]()).text));
    expect(withoutRates(errorTable[code].message)).toBe(message);
    const messages = shown(code, places[code]).map(withoutRates);
    expect(messages).toEqual(messages.map(() => message));
  });

  it('name the scope that createPet requires, and that createPet and getPet have no query parameters', async () => {
    const forbidden = await (await withScope('read')).post('/v1/pets', rex);
    expect(shown('insufficient_scope', '/post/')).toEqual([messageIn(forbidden.text)]);
    const created = await service.api.post('/v1/pets?dryRun=true', rex);
    expect(shown('invalid_query', '/post/')).toEqual([messageIn(created.text)]);
    const got = await service.api.get('/v1/pets/1?fields=name');
    expect(shown('invalid_query', '{petId}')).toEqual([messageIn(got.text)]);
  });
});
