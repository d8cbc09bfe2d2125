import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { type Node, nodesOf } from '../support/openapi.js';
import { startTestApp } from '../support/test-app.js';

interface Example {
  /** The position in the document. */
  path: string;
  schema: Node;
  value: unknown;
}

let examples: Example[];
/** Fastify's own validator with the schemas of the document. */
let validator: FastifyInstance;

beforeAll(async () => {
  const service = await startTestApp();
  const { text } = await new Api(service.url).get('/openapi.json');
  await service.close();
  const document = JSON.parse(text) as Node;
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
  const response = await validator.inject({
    method: 'POST',
    url: `/${number}`,
    payload: JSON.stringify(value),
    headers,
  });
  return response.statusCode === 200 ? '' : response.body;
}

describe('the examples of /openapi.json', () => {
  it('match their schemas', async () => {
    for (const [number, { path, value }] of examples.entries()) {
      expect([path, await faultOf(number, value)]).toEqual([path, '']);
    }
  });

  it('are more than 50, and every schema rejects an invalid value', async () => {
    expect(examples.length).toBeGreaterThan(50);
    for (const [number, { path }] of examples.entries()) {
      expect([path, await faultOf(number, { something: 'else' })]).not.toEqual([path, '']);
    }
  });
});
