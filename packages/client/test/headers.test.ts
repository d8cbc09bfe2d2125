import { inspect } from 'node:util';
import { expect, inject, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { clientOf, clientOnLink, failureOf } from './support/clients.js';

it('The API key is in no output of a client', () => {
  const client = clientOf();
  const outputs = [
    inspect(client),
    inspect({ nested: { client } }, { depth: Infinity, showHidden: true }),
    inspect(client.listPets(), { depth: Infinity, showHidden: true }),
    JSON.stringify({ client }),
    String(client),
  ];
  expect(outputs.join('\n')).not.toContain(inject('apiKey'));
});

it('A request has the name and version of the client, and the headers of the call', async () => {
  const { client, link } = await clientOnLink(() => undefined);
  const headers = { 'x-tenant': 'north', authorization: 'Basic eA==', 'X-Request-Id': 'order-7' };
  expect(await client.getPet(1n, { headers }).withResponse()).toMatchObject({ requestId: 'order-7' });
  expect(link.requests[0]?.headers).toMatchObject({
    'user-agent': `@petstore/client/${manifest.version}`,
    'x-tenant': 'north',
    'x-request-id': 'order-7',
    authorization: `Bearer ${inject('apiKey')}`,
  });
});

it('A status that the client does not know is named', async () => {
  const body = '[{"id":1,"name":"Rex","categoryId":7,"status":"adopted"}]';
  const { client } = await clientOnLink(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body }));
  expect(await failureOf(client.getPet(1n))).toMatchObject({
    code: 'unexpected_response',
    message: 'The response has the new status "adopted". Known are: available, pending, sold. Update @petstore/client.',
  });
});
