import { newPetFields, petStatuses } from '@petstore/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

function create(body: unknown): Promise<ApiResponse> {
  return service.api.post('/v1/pets', body);
}

async function rejected(body: unknown): Promise<string> {
  return expectError(await create(body), 'invalid_body');
}

describe('POST /v1/pets', () => {
  it('returns 201 with the pet and its Location', async () => {
    const response = await create({ name: 'Rex', categoryId: 7, status: 'pending' });
    const { id } = response.json as { id: bigint };
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.text).toBe(`{"id":${id},"name":"Rex","categoryId":7,"status":"pending"}`);
    expect(response.headers.get('location')).toBe(`/v1/pets/${id}`);
    expect((await service.api.get(`/v1/pets/${id}`)).json).toEqual(response.json);
  });

  it('returns 201 with a higher id for each pet', async () => {
    const first = (await create({ name: 'Rex', categoryId: 7 })).json as { id: bigint };
    const second = (await create({ name: 'Rex', categoryId: 7 })).json as { id: bigint };
    expect(second.id).toBeGreaterThan(first.id);
    expect(first.id).toBeGreaterThan(0n);
  });

  it('returns 201 without the headers of a replay', async () => {
    const response = await create({ name: 'Rex', categoryId: 7 });
    expect(response.headers.has('idempotency-replayed')).toBe(false);
  });
});

describe('POST /v1/pets with a status', () => {
  it('returns 201 with the status available when it is omitted', async () => {
    expect((await create({ name: 'Rex', categoryId: 7 })).json).toMatchObject({ status: 'available' });
  });

  it.each(petStatuses)('returns 201 with the status %s', async (status) => {
    expect((await create({ name: 'Rex', categoryId: 7, status })).json).toMatchObject({ status });
  });

  it.each([null, '', 'Available', 'available ', 'gone', 0, true, ['sold'], { value: 'sold' }])(
    'returns 400 invalid_body for %j and names what is allowed',
    async (status) => {
      expect(await rejected({ name: 'Rex', categoryId: 7, status })).toBe(
        '`status` must be one of: available, pending, sold.',
      );
    },
  );
});

describe('POST /v1/pets with an unknown member', () => {
  it.each([
    'id',
    'ID',
    'Name',
    'tag',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    '🐈',
    'a"b',
  ])('returns 400 invalid_body for %j, and names the member and what is allowed', async (member) => {
    const body = `{"name":"Rex","categoryId":7,${JSON.stringify(member)}:1}`;
    const message = await rejected(body);
    const escaped = JSON.stringify(member).slice(1, -1);
    expect(message).toBe(`\`${escaped}\` is unknown. Allowed: ${newPetFields.join(', ')}.`);
  });

  it("returns 400 invalid_body for the name of a prototype's property", async () => {
    const message = await rejected('{"__proto__":{"name":"Rex","categoryId":7}}');
    for (const name of ['`name` is required.', '`categoryId` is required.', '`__proto__` is unknown.'])
      expect(message).toContain(name);
  });

  it('returns 400 invalid_body when its value is null', async () => {
    expect(await rejected({ name: 'Rex', categoryId: 7, id: null })).toContain('`id` is unknown');
  });

  it('decodes escapes in the name of a member', async () => {
    expect((await create('{"n\\u0061me":"Rex","categoryId":7}')).status).toBe(201);
    expect(await rejected('{"name":"Rex","categoryId":7,"\\u0069d":1}')).toContain('`id` is unknown');
  });
});

describe('POST /v1/pets with several errors', () => {
  it('returns 400 invalid_body and names every missing member', async () => {
    const message = await rejected({});
    expect(message).toBe('`name` is required. `categoryId` is required.');
  });

  it('returns 400 invalid_body and names every invalid member', async () => {
    const unknown = Array.from({ length: 30 }, (_, number) => `other${number}`);
    const members = Object.fromEntries(unknown.map((name) => [name, 1]));
    const message = await rejected({ name: '', categoryId: '1', status: 'gone', ...members });
    for (const name of ['name', 'categoryId', 'status', ...unknown]) {
      expect(message).toContain(`\`${name}\``);
    }
  });

  it('creates nothing when it rejects the body', async () => {
    const count = async () => {
      const { headers } = await service.api.get('/v1/pets', { prefer: 'count=exact' });
      return headers.get('x-total-count');
    };
    const before = await count();
    await rejected({ name: 'Rex', categoryId: 7, id: 1 });
    await rejected({ name: 'Rex', categoryId: '7' });
    expect(await count()).toBe(before);
  });
});
