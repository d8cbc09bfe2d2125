import { type ErrorCode, errorCodes, errorTable, listParameters, newPetFields, petFields } from '@petstore/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../support/test-app.js';

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
function parameter(wanted: string): Node | undefined {
  const nodes = [...nodesOf(document)].map(([, node]) => node);
  return nodes.find((node) => 'in' in node && 'schema' in node && String(node['name']) === wanted);
}
function schemaOf(wanted: string): Node | undefined {
  return parameter(wanted)?.['schema'];
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

  it('has exactly the operations of the specification, by their names', () => {
    const found = Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, tags }]) => [operationId, path, method, tags]),
    );
    expect(found).toEqual(
      Object.entries(operations).map(([operationId, [path, method]]) => [operationId, path, method, ['animals']]),
    );
  });

  it('has the schemas of the specification, and no closed list of error codes', () => {
    const schemas = document['components']?.['schemas'] ?? {};
    const status = { $ref: '#/components/schemas/PetStatus' };
    const knownCodes = errorCodes.map((code) => `\`${code}\``).join(', ');
    expect(schemas).toMatchObject({
      PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
      NewPet: {
        required: ['name', 'categoryId'],
        additionalProperties: false,
        properties: { name: { minLength: 1, maxLength: 200, pattern: String.raw`\S` }, status },
      },
      Pet: { required: ['id', 'name', 'categoryId', 'status'], properties: { status } },
      Error: {
        required: ['code', 'message', 'status'],
        properties: { code: { type: 'string', description: expect.stringContaining(knownCodes) as string } },
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    });
    expect(schemas['Error']?.['properties']?.['code']).not.toHaveProperty('enum');
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

describe('the parameters of /openapi.json', () => {
  it.each([
    ['listPets', [...listParameters.map((name) => `query ${name}`), 'header Prefer', 'header If-None-Match']],
    ['createPet', ['header Idempotency-Key']],
    ['getPet', ['path petId', 'header If-None-Match']],
  ] as const)('of %s are all that it reads', (operation, expected) => {
    const parameters = Object.values(operationOf(operation)['parameters'] ?? {});
    expect(parameters.map(({ in: place, name }) => `${String(place)} ${String(name)}`)).toEqual(expected);
  });

  it('have the limits of the specification, and an example that does not change the result', () => {
    expect(schemaOf('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(schemaOf('status')).toEqual({ $ref: '#/components/schemas/PetStatus' });
    expect(schemaOf('petId')).toMatchObject({ type: 'integer', format: 'int64', minimum: 1 });
    expect(schemaOf('Idempotency-Key')).toEqual({ type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' });
    expect(parameter('categoryId')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', minItems: 1, maxItems: 20, items: { type: 'integer', format: 'int64' } },
    });
    expect(schemaOf('q')).toEqual({ type: 'string', minLength: 1, maxLength: 100, pattern: String.raw`\S` });
    // A cursor has no pattern, because it is opaque.
    expect(schemaOf('after')).toEqual({ type: 'string', minLength: 1, maxLength: 500 });
    const examples = ['petId', 'limit', 'order', 'Prefer'].map((name) => parameter(name)?.['example']);
    expect(examples).toEqual([1, 20, 'asc', 'count=exact']);
    for (const name of ['status', 'categoryId', 'q', 'after', 'id', 'Idempotency-Key']) {
      expect(JSON.stringify(parameter(name))).not.toContain('example');
    }
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

  it('have an example of every code, under its status', () => {
    const shown = new Set<string>();
    for (const [path, { examples }] of nodesOf(document['paths'])) {
      for (const [code, { value }] of Object.entries(examples ?? {})) {
        if (!(code in errorTable)) continue;
        shown.add(code);
        expect(value).toMatchObject({ code, status: errorTable[code as ErrorCode].status });
        expect(path).toContain(`responses/${errorTable[code as ErrorCode].status}/`);
      }
    }
    const ofNoOperation = ['route_not_found', 'method_not_allowed'];
    expect([...shown, ...ofNoOperation].toSorted()).toEqual([...errorCodes].toSorted());
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

it('the examples of the headers of /openapi.json have the types of their schemas', () => {
  for (const [name, { schema, example }] of Object.entries(document['components']?.['headers'] ?? {})) {
    const type = String(schema?.['type']);
    expect([name, typeof example]).toEqual([name, type === 'integer' ? 'number' : type]);
  }
});
