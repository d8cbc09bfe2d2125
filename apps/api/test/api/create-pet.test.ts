import { newPetFields } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

function create(body: unknown): Promise<ApiResponse> {
  return service.api.post('/v1/pets', body);
}

async function rejected(body: unknown): Promise<string> {
  return expectError(await create(body), 'invalid_body');
}

describe('POST /v1/pets', () => {
  it('returns 201 with the pet and its Location, and a higher id for each pet', async () => {
    const response = await create({ name: 'Rex', categoryId: 7, status: 'pending' });
    const { id } = response.json as { id: bigint };
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.text).toBe(`{"id":${id},"name":"Rex","categoryId":7,"status":"pending"}`);
    expect(response.headers.get('location')).toBe(`/v1/pets/${id}`);
    expect((await service.api.get(`/v1/pets/${id}`)).json).toEqual(response.json);
    const next = await create({ name: 'Rex', categoryId: 7 });
    expect((next.json as { id: bigint }).id).toBeGreaterThan(id);
  });

  it.each([null, '', 'Available', 0, ['sold']])('returns 400 invalid_body for the status %j', async (status) => {
    const message = await rejected({ name: 'Rex', categoryId: 7, status });
    expect(message).toBe('`status` must be one of: available, pending, sold.');
  });

  const unknownMembers = ['id', 'Name', 'other', '__proto__', 'constructor', '', 'a"b'];
  it.each(unknownMembers)(
    'returns 400 invalid_body for the unknown member %j, and names what is allowed',
    async (member) => {
      const escaped = JSON.stringify(member).slice(1, -1);
      const message = await rejected(`{"name":"Rex","categoryId":7,"${escaped}":null}`);
      expect(message).toBe(`\`${escaped}\` is unknown. Allowed: ${newPetFields.join(', ')}.`);
    },
  );

  it('returns 400 invalid_body and names every missing member', async () => {
    expect(await rejected({})).toBe('`name` is required. `categoryId` is required.');
  });

  it('returns 400 invalid_body, names every invalid member, and creates nothing', async () => {
    const count = () => service.sql('SELECT count(*) FROM pet');
    const before = await count();
    const unknown = Array.from({ length: 30 }, (_, number) => `other${number}`);
    const members = Object.fromEntries(unknown.map((name) => [name, 1]));
    const message = await rejected({ name: '', categoryId: '1', status: 'gone', ...members });
    for (const name of ['name', 'categoryId', 'status', ...unknown]) expect(message).toContain(`\`${name}\``);
    expect(await count()).toEqual(before);
  });
});
