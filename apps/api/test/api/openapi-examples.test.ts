import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { type Node, nodesOf } from '../support/openapi.js';
import { startTestApp } from '../support/test-app.js';

interface Example {
  /** Where in the document it stands. */
  path: string;
  schema: Node;
  value: unknown;
}

let examples: Example[];
/** Fastify's own validator, which knows the schemas of the document. */
let judge: FastifyInstance;

beforeAll(async () => {
  const service = await startTestApp();
  const { text } = await new Api(service.url).get('/openapi.json');
  await service.close();
  const document = JSON.parse(text) as Node;
  examples = [...nodesOf(document)].flatMap(([path, node]) => examplesOf(path, node));
  const customOptions = { strict: false, coerceTypes: false, removeAdditional: false, useDefaults: false };
  judge = fastify({ ajv: { customOptions } }).addSchema({ $id: 'openapi', ...document });
  examples.forEach(({ schema }, number) => {
    const body = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
    judge.post(`/${number}`, { schema: { body } }, () => ({}));
  });
});
afterAll(() => judge.close());

/** Those of a media type, a header or a parameter, and those of a schema itself. */
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

/** What is wrong with a value by the schema of an example; nothing when it keeps to it. */
async function faultOf(number: number, value: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await judge.inject({ method: 'POST', url: `/${number}`, payload: JSON.stringify(value), headers });
  return answer.statusCode === 200 ? '' : answer.body;
}

describe('the examples of /openapi.json', () => {
  it('keep to their schemas', async () => {
    for (const [number, { path, value }] of examples.entries()) {
      expect([path, await faultOf(number, value)]).toEqual([path, '']);
    }
  });

  it('are many, and anything else in their place is noticed', async () => {
    expect(examples.length).toBeGreaterThan(50);
    for (const [number, { path }] of examples.entries()) {
      expect([path, await faultOf(number, { something: 'else' })]).not.toEqual([path, '']);
    }
  });
});
