import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Api, type ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { idsOf, isReplay } from '../support/pets.js';
import { countLockWaits, hold, holdPets } from '../support/scratch-database.js';
import { useAppOn, useTestApp } from '../support/test-app.js';

const service = useTestApp();
const second = useAppOn(() => service.databaseUrl);
/** One client for each process, with the same key. */
let apis: [Api, Api];
beforeAll(() => {
  apis = [service.api, new Api(second.url, service.key)];
});
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

/** Sends 40 concurrent requests, half of them to each process. Sends one that gets 503 again, as clients do. */
function createForty(key: string, body: (number: number) => unknown): Promise<ApiResponse[]> {
  const send = async (number: number): Promise<ApiResponse> => {
    const api = number % 2 === 0 ? apis[0] : apis[1];
    const response = await api.post('/v1/pets', body(number), { 'idempotency-key': key });
    return response.status === 503 ? send(number) : response;
  };
  return Promise.all(Array.from({ length: 40 }, (_, number) => send(number)));
}

describe('concurrent POST /v1/pets with one Idempotency-Key', () => {
  it('create one pet from 40 equal requests, which all get its 201, and another one when the key has expired', async () => {
    const create = async () => {
      const responses = await createForty('equal', () => ({ name: 'Rex', categoryId: 7 }));
      const [{ json }] = responses as [ApiResponse];
      for (const response of responses) expect(response).toMatchObject({ status: 201, json });
      expect(responses.filter((response) => !isReplay(response)).length).toBeLessThanOrEqual(1);
      return json;
    };
    const created = await create();
    expect((await service.api.get('/v1/pets')).json).toEqual([created]);
    await service.sql(`UPDATE idempotency_record SET created_at = created_at - interval '24 hours'`);
    const another = await create();
    expect((await service.api.get('/v1/pets')).json).toEqual([created, another]);
  });

  it('create one pet from 40 different requests and return 422 to all others', async () => {
    const responses = await createForty('different', (number) => ({ name: 'Rex', categoryId: number }));
    const [created, ...others] = responses.toSorted((one, other) => one.status - other.status);
    expect(created?.status).toBe(201);
    for (const other of others) expectError(other, 'idempotency_key_reused');
    expect((await service.api.get('/v1/pets')).json).toEqual([created?.json]);
  });
});

it('100 concurrent POST /v1/pets, with and without keys, each return the id of the pet that they created', async () => {
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, number) => {
      const headers: Record<string, string> = number % 3 === 0 ? { 'idempotency-key': `third-${number}` } : {};
      return service.api.post('/v1/pets', { name: `Rex ${number}`, categoryId: number }, headers);
    }),
  );
  expect(responses.filter((response) => response.status !== 201 || isReplay(response))).toEqual([]);
  const stored = await service.sql('SELECT id, name FROM pet ORDER BY category_id');
  expect(stored.map(({ id, name }) => ({ id: BigInt(String(id)), name }))).toEqual(
    responses.map(({ json }, number) => ({ id: (json as { id: bigint }).id, name: `Rex ${number}` })),
  );
});

describe('POST /v1/pets while the first request with its Idempotency-Key is still running', () => {
  const create = () => service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { 'idempotency-key': 'running' });

  /** The first request of another process: the pet and the record are written but not committed. */
  async function beginFirst() {
    await create();
    const [record] = await service.sql('DELETE FROM idempotency_record RETURNING api_key_id');
    await service.sql('TRUNCATE pet CASCADE');
    return hold(
      service.databaseUrl,
      `WITH created AS (INSERT INTO pet (name, category_id) VALUES ('Rex', 7) RETURNING id)
       INSERT INTO idempotency_record (api_key_id, key, pet_id)
       SELECT ${String(record?.['api_key_id'])}, 'running', id FROM created`,
    );
  }

  it.each([
    ['COMMIT', true],
    ['ROLLBACK', false],
  ])('waits, and replays its response if it commits (%s)', async (end, replayed) => {
    const first = await beginFirst();
    const waiting = create();
    await expect.poll(() => countLockWaits(service.databaseUrl)).toBe(1);
    await first.query(end);
    const response = await waiting;
    expect({ status: response.status, replayed: isReplay(response) }).toEqual({ status: 201, replayed });
    expect((await service.api.get('/v1/pets')).json).toEqual([response.json]);
  });

  it('returns 503 with Retry-After after the timeout, and creates nothing', async () => {
    const first = await beginFirst();
    const response = await create();
    expectError(response, 'service_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
    await first.query('ROLLBACK');
    expect(idsOf(await service.api.get('/v1/pets'))).toEqual([]);
  });
});

it('POST /v1/pets has no effect after its 503, also if it waits for another create and then for a lock', async () => {
  const holder = await holdPets(service.databaseUrl);
  const create = () => service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  const responses = [];
  for (const running of [1, 2]) {
    responses.push(create());
    await expect.poll(() => countLockWaits(service.databaseUrl)).toBe(running);
  }
  responses.push(create());
  for (const response of await Promise.all(responses)) expectError(response, 'service_unavailable');
  expect(await countLockWaits(service.databaseUrl)).toBe(0);
  await holder.query('ROLLBACK');
  expect(idsOf(await service.api.get('/v1/pets'))).toEqual([]);
});
