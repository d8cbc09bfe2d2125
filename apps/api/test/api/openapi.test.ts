import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseJson, stringifyJson } from '@petstore/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { Api, type ApiResponse } from '../support/api.js';
import { createOf, onlyResponse, type RawResponse } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

// Reviewers see in the committed openapi.json what a change of the code changes in the document.

/** A part of an OpenAPI document, of any shape. */
type Node = { [name: string]: Node };

/** More than the tests send with one key. */
const rateLimitPerMinute = 30;
const service = useTestApp({ rateLimitPerMinute, limits: { connectionsCheckIntervalMs: 20 } });
let committed: string;
let document: Node;
let operations: Node[];
const newPet = { name: 'Rex', categoryId: 7 };
beforeAll(async () => {
  await service.api.post('/v1/pets', newPet);
  committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
  document = JSON.parse(committed) as Node;
  operations = Object.values(document['paths'] ?? {}).flatMap((path) => Object.values(path));
});

/** The part of the document to which a reference leads, or the node itself. */
function resolve(node: Node = {}): Node {
  const path = node['$ref'] === undefined ? [] : String(node['$ref']).split('/').slice(1);
  return path.reduce<Node>((parent, name) => parent[name] ?? {}, path.length > 0 ? document : node);
}

it('/openapi.json is the committed document with every digit, with the address of the request', async () => {
  const { text } = await service.anonymous.get('/openapi.json');
  const expected = committed.replace('"url": "/v1"', `"url": "${service.url}/v1"`);
  expect(`${stringifyJson(parseJson(text), '  ')}\n`, 'Run `npm run openapi`.').toBe(expected);
});

it('the document states every status of an operation', () => {
  const statuses = operations.map(({ operationId, responses = {} }) => [
    operationId,
    Object.keys(responses).map(Number),
  ]);
  expect(Object.fromEntries(statuses)).toEqual({
    listPets: [200, 304, 400, 401, 403, 408, 429, 431, 500, 503],
    createPet: [201, 400, 401, 403, 408, 409, 413, 415, 422, 429, 431, 500, 503],
    getPet: [200, 304, 400, 401, 403, 404, 408, 410, 429, 431, 500, 503],
  });
});

it('a parameter of the document has an example only if that does not change the result', () => {
  const parameters = operations.flatMap((operation) => Object.values(operation['parameters'] ?? {}).map(resolve));
  const examples = parameters.filter((parameter) => JSON.stringify(parameter).includes('"example'));
  expect(examples.map(({ name, example }) => `${String(name)}: ${String(example)}`)).toEqual([
    'limit: 20',
    'order: asc',
    'Prefer: count=exact',
    'petId: 1',
  ]);
});

/** Sends a request of an operation, with its example in the place of `petId`. */
function send(operationId: unknown, api: Api, headers: Record<string, string> = {}): Promise<ApiResponse> {
  if (operationId === 'createPet') return api.post('/v1/pets', newPet, headers);
  return api.get(operationId === 'getPet' ? '/v1/pets/1' : '/v1/pets', headers);
}

it('the API key is required once for all operations, and the description of each names the scope that it needs', async () => {
  expect(document['security']).toEqual([{ apiKey: [] }]);
  const keys = [await service.newKey('read'), await service.newKey('write')];
  for (const operation of operations) {
    expect(operation).not.toHaveProperty('security');
    const responses = await Promise.all(keys.map((key) => send(operation['operationId'], new Api(service.url, key))));
    const { headers } = responses.find(({ status }) => status === 403) ?? {};
    const [, scope] = /scope="(\w+)"/.exec(headers?.get('www-authenticate') ?? '') ?? [];
    expect(operation['description']).toContain(`The API key needs the scope \`${scope}\`.`);
  }
});

it('a request header of the document has a rule only if the service rejects other values', async () => {
  // Breaks every rule that a header could have.
  const value = 'any text, '.repeat(30);
  const found: Record<string, { hasRule: boolean; status: number }> = {};
  for (const { operationId, parameters = {} } of operations) {
    for (const { in: place, name, schema = {} } of Object.values(parameters).map(resolve)) {
      if (String(place) !== 'header') continue;
      const { status } = await send(operationId, service.api, { [String(name)]: value });
      found[`${String(operationId)}: ${String(name)}`] = {
        hasRule: Object.keys(schema).length > 1,
        status,
      };
    }
  }
  expect(found).toEqual({
    'listPets: Prefer': { hasRule: false, status: 200 },
    'listPets: If-None-Match': { hasRule: false, status: 200 },
    'listPets: X-Request-Id': { hasRule: false, status: 200 },
    'createPet: Idempotency-Key': { hasRule: true, status: 400 },
    'createPet: X-Request-Id': { hasRule: false, status: 201 },
    'getPet: If-None-Match': { hasRule: false, status: 200 },
    'getPet: X-Request-Id': { hasRule: false, status: 200 },
  });
});

describe('the document states the headers and the fields of the response of', () => {
  const counted = { prefer: 'count=exact' };
  const sameKey = { 'idempotency-key': 'once' };

  /** Sends a request again, with the ETag of the first response. */
  async function revalidate(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const { headers: sent } = await service.api.get(path, headers);
    return service.api.get(path, { ...headers, 'if-none-match': sent.get('etag') ?? '' });
  }

  /** Creates an animal with the Idempotency-Key of an earlier request. */
  async function createAgain(pet: object): Promise<ApiResponse> {
    await service.api.post('/v1/pets', newPet, sameKey);
    return service.api.post('/v1/pets', pet, sameKey);
  }

  async function exceedRateLimit(path: string): Promise<ApiResponse> {
    const api = new Api(service.url, await service.newKey('read'));
    await Promise.all(Array.from({ length: rateLimitPerMinute }, () => api.get('/v1/pets?id=1')));
    return api.get(path);
  }

  async function getWithoutScope(path: string): Promise<ApiResponse> {
    return new Api(service.url, await service.newKey('write')).get(path);
  }

  const cases: [operationId: string, status: number, provoke: () => Promise<ApiResponse>][] = [
    ['createPet', 201, () => createAgain(newPet)],
    ['createPet', 400, () => service.api.post('/v1/pets', {})],
    ['createPet', 401, () => service.anonymous.post('/v1/pets', newPet)],
    ['createPet', 403, async () => new Api(service.url, await service.newKey('read')).post('/v1/pets', newPet)],
    ['createPet', 413, () => service.api.post('/v1/pets', ' '.repeat(70_000))],
    ['createPet', 415, () => service.api.post('/v1/pets', newPet, { 'content-type': 'text/plain' })],
    ['createPet', 422, () => createAgain({ ...newPet, name: 'Leo' })],
    ['listPets', 200, () => service.api.get('/v1/pets', counted)],
    ['listPets', 304, () => revalidate('/v1/pets', counted)],
    ['listPets', 400, () => service.api.get('/v1/pets?limit=0')],
    ['listPets', 401, () => service.anonymous.get('/v1/pets')],
    ['listPets', 403, () => getWithoutScope('/v1/pets')],
    ['listPets', 429, () => exceedRateLimit('/v1/pets')],
    ['getPet', 200, () => service.api.get('/v1/pets/1')],
    ['getPet', 304, () => revalidate('/v1/pets/1')],
    ['getPet', 400, () => service.api.get('/v1/pets/1?fields=id')],
    ['getPet', 401, () => service.anonymous.get('/v1/pets/1')],
    ['getPet', 403, () => getWithoutScope('/v1/pets/1')],
    ['getPet', 404, () => service.api.get('/v1/pets/1000')],
    ['getPet', 429, () => exceedRateLimit('/v1/pets/1')],
  ];
  it.each(cases)('%s with %d', async (name, status, provoke) => {
    expectDocumented(name, status, await provoke());
  });

  it('createPet with 408, when its body does not arrive', async () => {
    const server = service.app.getHttpServer();
    const { headersTimeout, requestTimeout } = server;
    const [head] = createOf(service.key);
    const response = onlyResponse(service.url, head);
    await once(server, 'request');
    Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });
    const received = await response.finally(() => Object.assign(server, { headersTimeout, requestTimeout }));
    expectDocumented('createPet', 408, received);
  });

  it('getPet with 410, after its removal', async () => {
    service.clock.time = new Date('2030-12-05T00:00:00Z');
    expectDocumented('getPet', 410, await service.api.get('/v1/pets/1'));
    service.clock.time = undefined;
  });
});

/** The headers that HTTP itself or every response of the service has. */
const undocumented = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'x-content-type-options',
]);

function expectDocumented(id: string, expectedStatus: number, { status, headers, text }: RawResponse): void {
  expect(status, text).toBe(expectedStatus);
  const operation = operations.find(({ operationId }) => String(operationId) === id) ?? {};
  const response = resolve(operation['responses']?.[status]);
  const stated = Object.keys(response['headers'] ?? {}).map((header) => header.toLowerCase());
  expect([...headers.keys()].filter((header) => !undocumented.has(header))).toEqual(stated.toSorted());
  expectDocumentedBody(response['content']?.['application/json'], text);
}

function expectDocumentedBody(content: Node | undefined, text: string): void {
  if (!content) return expect(text).toBe('');
  const schema = resolve(content['schema']);
  const { properties = {}, required = {} } = schema['items'] ? resolve(schema['items']) : schema;
  const body = JSON.parse(text) as Node | Node[];
  const [object = {}] = [body].flat();
  const isExpected = (field: string) => field in object || Object.values(required).map(String).includes(field);
  expect(Object.keys(object)).toEqual(Object.keys(properties).filter(isExpected));
  if (object['code']) expect(Object.keys(content['examples'] ?? {})).toContain(object['code']);
}
