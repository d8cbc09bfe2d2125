import { errorCodes, errorTable, petNameFault } from '@petstore/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { type Node, nodesOf } from '../support/openapi.js';
import { startTestApp } from '../support/test-app.js';

let document: Node;
beforeAll(async () => {
  const service = await startTestApp();
  document = JSON.parse((await new Api(service.url).get('/openapi.json')).text) as Node;
  await service.close();
});

describe('/openapi.json', () => {
  it('refers to PetStatus without allOf, and requires no status of a new animal', () => {
    const { NewPet, Pet } = document['components']?.['schemas'] ?? {};
    for (const schema of [NewPet, Pet]) {
      expect(schema?.['properties']?.['status']).toEqual({ $ref: '#/components/schemas/PetStatus' });
    }
    for (const [path, node] of nodesOf(document)) expect([path, node['allOf']]).toEqual([path, undefined]);
  });

  it('has a pattern for names that accepts every name that the service accepts, and no blank one', () => {
    const pattern = document['components']?.['schemas']?.['NewPet']?.['properties']?.['name']?.['pattern'];
    const names = ['Rex', ' Rex ', 'R\nx', '\u3000x', 'Zoë', '🐕', '', ' ', '\t\u3000'];
    for (const flags of ['', 'u']) {
      const regex = new RegExp(String(pattern), flags);
      for (const name of names) expect([name, regex.test(name)]).toEqual([name, petNameFault(name) === undefined]);
    }
  });

  it('introduces authentication, paging, retries, errors, limits, integers and deprecation', () => {
    const { description, contact } = document['info'] ?? {};
    const headings = [...String(description).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Authentication',
      'Errors',
      'Rate limits',
      'Request ids',
      'Exact integers',
      'Paging',
      'Idempotent retries',
      'Deprecation',
    ]);
    for (const code of errorCodes) expect(description).toContain(`| ${errorTable[code].status} | \`${code}\` |`);
    expect(contact).toBeDefined();
  });
});
