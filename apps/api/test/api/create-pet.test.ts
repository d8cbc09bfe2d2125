import { petStatuses } from '@petstore/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

function create(body: unknown): Promise<Answer> {
  return service.api.post('/v1/pets', body);
}

async function refused(body: unknown): Promise<string> {
  return expectError(await create(body), 'invalid_body');
}

describe('POST /v1/pets', () => {
  it('answers 201 with the animal and where it is', async () => {
    const answer = await create({ name: 'Rex', categoryId: 7, status: 'pending' });
    const { id } = answer.json as { id: bigint };
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.text).toBe(`{"id":${id},"name":"Rex","categoryId":7,"status":"pending"}`);
    expect(answer.headers.get('location')).toBe(`/v1/pets/${id}`);
    expect((await service.api.get(`/v1/pets/${id}`)).json).toEqual(answer.json);
  });

  it('answers 201 with a higher id for each animal', async () => {
    const first = (await create({ name: 'Rex', categoryId: 7 })).json as { id: bigint };
    const second = (await create({ name: 'Rex', categoryId: 7 })).json as { id: bigint };
    expect(second.id).toBeGreaterThan(first.id);
    expect(first.id).toBeGreaterThan(0n);
  });

  it('answers 201 without the headers that belong to a repeated request', async () => {
    const answer = await create({ name: 'Rex', categoryId: 7 });
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
  });
});

describe('POST /v1/pets with a status', () => {
  it('answers 201 with available when none is given', async () => {
    expect((await create({ name: 'Rex', categoryId: 7 })).json).toMatchObject({ status: 'available' });
  });

  it.each(petStatuses)('answers 201 with %s when it is given', async (status) => {
    expect((await create({ name: 'Rex', categoryId: 7, status })).json).toMatchObject({ status });
  });

  it.each([null, '', 'Available', 'available ', 'gone', 0, true, ['sold'], { value: 'sold' }])(
    'answers 400 invalid_body for %j and says what is allowed',
    async (status) => {
      expect(await refused({ name: 'Rex', categoryId: 7, status })).toBe(
        '`status` must be one of: available, pending, sold.',
      );
    },
  );
});

describe('POST /v1/pets with a member that it does not know', () => {
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
  ])('answers 400 invalid_body for %j, names it and says what is allowed', async (member) => {
    const body = `{"name":"Rex","categoryId":7,${JSON.stringify(member)}:1}`;
    const message = await refused(body);
    const escaped = JSON.stringify(member).slice(1, -1);
    expect(message).toBe(`\`${escaped}\` is unknown. Allowed: name, categoryId, status.`);
  });

  it('answers 400 invalid_body for a name that only a prototype has', async () => {
    const message = await refused('{"__proto__":{"name":"Rex","categoryId":7}}');
    for (const name of ['`name` is required.', '`categoryId` is required.', '`__proto__` is unknown.'])
      expect(message).toContain(name);
  });

  it('answers 400 invalid_body also when its value is null', async () => {
    expect(await refused({ name: 'Rex', categoryId: 7, id: null })).toContain('`id` is unknown');
  });

  it('takes an escaped name for what it spells', async () => {
    expect((await create('{"n\\u0061me":"Rex","categoryId":7}')).status).toBe(201);
    expect(await refused('{"name":"Rex","categoryId":7,"\\u0069d":1}')).toContain('`id` is unknown');
  });
});

describe('POST /v1/pets with several faults', () => {
  it('answers 400 invalid_body and names every member that is missing', async () => {
    const message = await refused({});
    expect(message).toBe('`name` is required. `categoryId` is required.');
  });

  it('answers 400 invalid_body and names every member at fault', async () => {
    const unknown = Array.from({ length: 30 }, (_, number) => `other${number}`);
    const members = Object.fromEntries(unknown.map((name) => [name, 1]));
    const message = await refused({ name: '', categoryId: '1', status: 'gone', ...members });
    for (const name of ['name', 'categoryId', 'status', ...unknown]) {
      expect(message).toContain(`\`${name}\``);
    }
  });

  it('adds nothing when it refuses', async () => {
    const count = async () => {
      const { headers } = await service.api.get('/v1/pets', { prefer: 'count=exact' });
      return headers.get('x-total-count');
    };
    const before = await count();
    await refused({ name: 'Rex', categoryId: 7, id: 1 });
    await refused({ name: 'Rex', categoryId: '7' });
    expect(await count()).toBe(before);
  });
});
