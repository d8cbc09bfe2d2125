import { type ErrorCode, errorCodes, errorTable } from '@petstore/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { type Node, nodesOf } from '../support/openapi.js';
import { addPet } from '../support/pets.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let text: string;
let document: Node;
beforeAll(async () => {
  service = await startTestApp();
  ({ text } = await new Api(service.url).get('/openapi.json'));
  document = JSON.parse(text) as Node;
});
afterAll(() => service.close());

const operations = {
  listPets: ['/pets', 'get'],
  createPet: ['/pets', 'post'],
  getPet: ['/pets/{petId}', 'get'],
} as const;
function operationOf(name: keyof typeof operations): Node {
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
const ofEveryOperation = [401, 403, 408, 429, 431, 500, 503];

const knownCodes = errorCodes.map((code) => `\`${code}\``).join(', ');

describe('/openapi.json', () => {
  it('is OpenAPI 3.1, of version 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Petstore', version: '1.0.0' } });
  });

  it('has the operations of the specification, by their names, below the server /v1', () => {
    const found = Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, tags }]) => ({ path, method, operationId, tags })),
    );
    expect(found).toEqual(
      expect.arrayContaining(
        Object.entries(operations).map(([operationId, [path, method]]) => ({
          path,
          method,
          operationId,
          tags: ['animals'],
        })),
      ),
    );
    expect(document['servers']).toEqual([{ url: '/v1', description: 'This service' }]);
  });

  it('names its servers as they are configured', async () => {
    const configured = await startTestApp({
      publicBaseUrl: 'https://api.example.com/v1',
      stagingBaseUrl: 'https://staging.example.com/v1',
    });
    const { json } = await configured.api.get('/openapi.json');
    await configured.close();
    expect((json as Node)['servers']).toMatchObject([
      { url: 'https://api.example.com/v1' },
      { url: 'https://staging.example.com/v1' },
    ]);
  });

  it('names its schemas as the specification does', () => {
    const schemas = document['components']?.['schemas'] ?? {};
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Error', 'NewPet', 'Pet', 'PetStatus', 'Pets']));
    expect(schemas).toMatchObject({
      PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
      NewPet: {
        required: ['name', 'categoryId'],
        additionalProperties: false,
        properties: { name: { minLength: 1, maxLength: 200 } },
      },
      Pet: { required: ['id', 'name', 'categoryId', 'status'] },
      Error: {
        required: ['code', 'message', 'status'],
        properties: { code: { type: 'string', description: expect.stringContaining(knownCodes) as string } },
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    });
  });

  it('has no closed list of error codes, so that generated clients accept a new one', () => {
    expect(document['components']?.['schemas']?.['Error']?.['properties']?.['code']).not.toHaveProperty('enum');
  });

  it('begins with what it is about, and lists the deprecated operation last', () => {
    expect(Object.keys(document).slice(0, 2)).toEqual(['openapi', 'info']);
    expect(Object.keys(document).indexOf('info')).toBeLessThan(Object.keys(document).indexOf('paths'));
    expect(Object.keys(document['paths'] ?? {})).toEqual(['/pets', '/pets/{petId}']);
  });

  it('requires a bearer key for every operation', () => {
    expect(document['security']).toEqual([{ apiKey: [] }]);
    expect(document['components']?.['securitySchemes']).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
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

  it('announces the removal of getPet with its date and replacement', () => {
    const { deprecated, description } = operationOf('getPet');
    expect(deprecated).toBe(true);
    expect(description).toMatch(/5 December 2030.*GET \/pets/);
  });
});

describe('the parameters of /openapi.json', () => {
  const namesOf = (operation: keyof typeof operations) =>
    Object.values(operationOf(operation)['parameters'] ?? {}).map(
      ({ in: place, name }) => `${String(place)} ${String(name)}`,
    );

  it('are all that an operation reads', () => {
    expect(namesOf('listPets')).toEqual([
      ...['limit', 'status', 'order', 'after', 'id'].map((name) => `query ${name}`),
      ...['Prefer', 'If-None-Match'].map((name) => `header ${name}`),
    ]);
    expect(namesOf('createPet')).toEqual(['header Idempotency-Key']);
    expect(namesOf('getPet')).toEqual(['path petId', 'header If-None-Match']);
  });

  it('have the limits of the specification, and an example that does not change the result', () => {
    expect(schemaOf('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(schemaOf('status')).toEqual({ $ref: '#/components/schemas/PetStatus' });
    expect(schemaOf('petId')).toMatchObject({ type: 'integer', format: 'int64', minimum: 1 });
    const examples = ['petId', 'limit', 'order', 'Prefer', 'status', 'id'].map((name) => parameter(name)?.['example']);
    expect(examples).toEqual([1, 20, 'asc', 'count=exact', undefined, undefined]);
    expect(schemaOf('Idempotency-Key')).toEqual({ type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' });
  });

  it('describe a cursor with a pattern that real cursors match', async () => {
    await addPet(service.api);
    await addPet(service.api);
    const { headers } = await service.api.get('/v1/pets?limit=1');
    const [, after] = /after=([^>&]+)/.exec(headers.get('link') ?? '') ?? [];
    const schema = schemaOf('after');
    expect(schema).toEqual({ type: 'string', pattern: expect.any(String) as string });
    const examples = [...text.matchAll(/after=([^>&]+)/g)].map(([, example]) => example);
    expect(examples.length).toBeGreaterThan(0);
    for (const cursor of [after, ...examples]) expect(cursor).toMatch(new RegExp(String(schema?.['pattern']), 'u'));
  });
});

describe('the responses of /openapi.json', () => {
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

  it('name each code before its meaning', () => {
    const { description } = operationOf('listPets')['responses']?.[401] ?? {};
    expect(description).toBe(
      `\`missing_api_key\`: ${errorTable.missing_api_key.meaning} \`invalid_api_key\`: ${errorTable.invalid_api_key.meaning}`,
    );
  });

  it('refer to headers and schemas that exist, and use every one', () => {
    const used = new Set<string>();
    for (const [, { $ref }] of nodesOf(document)) if ($ref) used.add(String($ref));
    const existing = ['headers', 'schemas'].flatMap((kind) =>
      Object.keys(document['components']?.[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...used].toSorted()).toEqual(existing.toSorted());
  });

  it('state the headers of the contract', () => {
    const headersOf = (name: keyof typeof operations, status: number) =>
      Object.keys(operationOf(name)['responses']?.[status]?.['headers'] ?? {});
    expect(headersOf('listPets', 200)).toEqual(
      expect.arrayContaining([
        'Link',
        'ETag',
        'Cache-Control',
        'Vary',
        'X-Total-Count',
        'Preference-Applied',
        'X-Request-Id',
      ]),
    );
    expect(headersOf('createPet', 201)).toEqual([
      'X-Request-Id',
      'Location',
      'Idempotency-Replayed',
      'RateLimit-Policy',
      'RateLimit',
    ]);
    for (const status of [200, 401, 404])
      expect(headersOf('getPet', status)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
    // A request that is rejected while its headers are read belongs to no operation yet.
    for (const status of [408, 431]) expect(headersOf('getPet', status)).toEqual(['X-Request-Id']);
    expect(headersOf('createPet', 401)).toContain('WWW-Authenticate');
    // The service checks the scope before the rate limit.
    for (const status of [401, 403]) expect(headersOf('createPet', status)).not.toContain('RateLimit');
    expect(headersOf('createPet', 429)).toEqual(
      expect.arrayContaining(['Retry-After', 'RateLimit', 'RateLimit-Policy']),
    );
    expect(headersOf('createPet', 503)).toContain('Retry-After');
  });
});
