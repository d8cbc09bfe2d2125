import { errorCodes, newPetFields, petFields } from '@petstore/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../support/test-app.js';

// The committed openapi.json shows the document to reviewers. These are what they cannot see at a glance.

/** A part of an OpenAPI document, of any shape. */
type Node = { [name: string]: Node };

/** Yields each part of a document with its path. */
function* nodesOf(node: unknown, path = '#'): Generator<[path: string, node: Node]> {
  if (typeof node !== 'object' || node === null) return;
  yield [path, node as Node];
  for (const [name, child] of Object.entries(node)) yield* nodesOf(child, `${path}/${name}`);
}

const service = useTestApp();
let text: string;
let document: Node;
beforeAll(async () => {
  ({ text } = await service.anonymous.get('/openapi.json'));
  document = JSON.parse(text) as Node;
});

const operations = {
  listPets: ['/pets', 'get'],
  createPet: ['/pets', 'post'],
  getPet: ['/pets/{petId}', 'get'],
} as const;
type OperationName = keyof typeof operations;

function operationOf(name: OperationName): Node {
  const [path, method] = operations[name];
  return document['paths']?.[path]?.[method] ?? {};
}
describe('/openapi.json', () => {
  it('is OpenAPI 3.1 of version 1.0.0, with a bearer key for every operation', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Petstore', version: '1.0.0' },
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
      servers: [{ url: `${service.url}/v1`, description: 'This service' }],
    });
  });

  it('has every field of the contracts, and no closed list of error codes', () => {
    const schemas = document['components']?.['schemas'] ?? {};
    const code = schemas['Error']?.['properties']?.['code'];
    for (const known of errorCodes) expect(code?.['description']).toContain(`\`${known}\``);
    expect(code).not.toHaveProperty('enum');
    expect(Object.keys(schemas['NewPet']?.['properties'] ?? {})).toEqual(newPetFields);
    expect(Object.keys(schemas['Pet']?.['properties'] ?? {})).toEqual(petFields);
  });

  it('gives int64 its exact bounds', () => {
    for (const [path, { format, minimum, maximum }] of nodesOf(document)) {
      if (String(format) === 'int64')
        expect([path, typeof minimum, typeof maximum]).toEqual([path, 'number', 'number']);
    }
    expect(text).toContain('"maximum":9223372036854775807');
    expect(text).toContain('"minimum":-9223372036854775808');
    expect(text).not.toMatch(/\d{15}000[,}]|e\+/);
  });
});

it('a parameter of /openapi.json has an example only if that does not change the result', () => {
  const nodes = [...nodesOf(document['paths'])].map(([, node]) => node).filter((node) => 'in' in node);
  const examples = nodes.filter((node) => JSON.stringify(node).includes('example'));
  expect(Object.fromEntries(examples.map(({ name, example }) => [String(name), example]))).toEqual({
    limit: 20,
    order: 'asc',
    Prefer: 'count=exact',
    petId: 1,
  });
});

describe('the responses of /openapi.json', () => {
  const ofEveryOperation = [401, 403, 408, 429, 431, 500, 503];
  it.each([
    ['listPets', [200, 304, 400, ...ofEveryOperation]],
    ['createPet', [201, 400, ...ofEveryOperation, 409, 413, 415, 422]],
    ['getPet', [200, 304, 400, ...ofEveryOperation, 404, 410]],
  ] as const)('of %s are every status that can occur', (name, statuses) => {
    const responses = operationOf(name)['responses'] ?? {};
    expect(Object.keys(responses).map(Number)).toEqual([...statuses].toSorted((a, b) => a - b));
  });

  const rateLimit = ['RateLimit-Policy', 'RateLimit'];
  const deprecation = ['Deprecation', 'Sunset', 'Link'];
  const ofPages = ['Link', 'ETag', 'Cache-Control', 'Vary', 'X-Total-Count', 'Preference-Applied', 'X-Request-Id'];
  it.each<[OperationName, number, string[]]>([
    ['listPets', 200, ofPages],
    ['createPet', 201, ['X-Request-Id', 'Location', 'Idempotency-Replayed', ...rateLimit]],
    ['createPet', 401, ['WWW-Authenticate']],
    ['createPet', 429, ['Retry-After', ...rateLimit]],
    ['getPet', 200, deprecation],
    ['getPet', 404, deprecation],
  ])('of %s with %d state the headers %j', (name, status, headers) => {
    const stated = Object.keys(operationOf(name)['responses']?.[status]?.['headers'] ?? {});
    expect(stated).toEqual(expect.arrayContaining(headers));
    // The service checks the key and the scope before the rate limit.
    if (status === 401) expect(stated).not.toContain('RateLimit');
  });
});
