import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { idsOf } from '../support/pets.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let second: TestApp;
/** One client for each process, with the same key. */
let apis: [Api, Api];
beforeAll(async () => {
  service = await startTestApp();
  second = await startOn(service.databaseUrl);
  apis = [service.api, new Api(second.url, service.key)];
});
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));
afterAll(async () => {
  await second.close();
  await service.close();
});

/** Sends 40 concurrent requests, half of them to each process. */
function createForty(key: string, body: (number: number) => unknown): Promise<ApiResponse[]> {
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  return Promise.all(
    numbers.map((number) =>
      (number % 2 === 0 ? apis[0] : apis[1]).post('/v1/pets', body(number), { 'idempotency-key': key }),
    ),
  );
}

function isReplay({ headers }: ApiResponse): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

describe('concurrent POST /v1/pets with one Idempotency-Key', () => {
  it('create one pet from 40 equal requests, which all get its 201', async () => {
    const responses = await createForty('equal', () => ({ name: 'Rex', categoryId: 7 }));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    expect(responses.filter((response) => !isReplay(response))).toHaveLength(1);
    expect(idsOf(await service.api.get('/v1/pets'))).toHaveLength(1);
  });

  it('create one pet from 40 different requests and return 422 to all others', async () => {
    const responses = await createForty('different', (number) => ({ name: 'Rex', categoryId: number }));
    const [created, ...others] = responses.toSorted((one, other) => one.status - other.status);
    expect(created?.status).toBe(201);
    for (const other of others) expectError(other, 'idempotency_key_reused');
    expect((await service.api.get('/v1/pets')).json).toEqual([created?.json]);
  });

  it('create one pet from 40 equal requests when an expired record exists', async () => {
    await createForty('old', () => ({ name: 'Rex', categoryId: 7 }));
    await service.sql(`UPDATE idempotency_record SET created_at = created_at - interval '25 hours'`);
    const responses = await createForty('old', () => ({ name: 'Max', categoryId: 7 }));
    expect(responses.filter(({ status }) => status !== 201)).toEqual([]);
    expect(responses.filter((response) => !isReplay(response))).toHaveLength(1);
    expect(idsOf(await service.api.get('/v1/pets'))).toHaveLength(2);
  });

  it('create 40 pets from 40 keys', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { 'idempotency-key': `own-${number}` }),
      ),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(40);
    expect(responses.filter(({ status }) => status !== 201)).toEqual([]);
  });
});

describe('concurrent POST /v1/pets', () => {
  it.each([
    ['no keys', () => ({})],
    ['keys', (number: number) => ({ 'idempotency-key': `each-${number}` })],
    ['a key in every third', (number: number) => (number % 3 ? {} : { 'idempotency-key': `third-${number}` })],
  ])('return to each of 100 requests the id of the pet that it created (%s)', async (_name, headers) => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        service.api.post('/v1/pets', { name: `Rex ${number}`, categoryId: number }, headers(number)),
      ),
    );
    const stored = await service.sql('SELECT id, name, category_id FROM pet ORDER BY category_id');
    expect(stored).toHaveLength(100);
    expect(responses.map(({ json }) => json)).toEqual(
      stored.map((row, number) => ({
        id: BigInt(String(row['id'])),
        name: `Rex ${number}`,
        categoryId: BigInt(number),
        status: 'available',
      })),
    );
    expect(stored.map(({ name }) => name)).toEqual(responses.map((_, number) => `Rex ${number}`));
  });
});

describe('POST /v1/pets while the first request with its Idempotency-Key is still running', () => {
  /** The first request of another process: the pet and the record are written but not committed. */
  async function beginFirst(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { 'idempotency-key': 'running' });
    const [record] = await service.sql('DELETE FROM idempotency_record RETURNING api_key_id, fingerprint');
    await service.sql('TRUNCATE pet CASCADE');
    await client.query('BEGIN');
    const created = await client.query<{ id: string }>(
      `INSERT INTO pet (name, category_id) VALUES ('Rex', 7) RETURNING id`,
    );
    await client.query(
      'INSERT INTO idempotency_record (api_key_id, key, fingerprint, pet_id) VALUES ($1, $2, $3, $4)',
      [record?.['api_key_id'], 'running', record?.['fingerprint'], created.rows[0]?.id],
    );
    return client;
  }

  function createSecond(): Promise<ApiResponse> {
    return service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { 'idempotency-key': 'running' });
  }

  it.each([
    ['COMMIT', true],
    ['ROLLBACK', false],
  ])('waits, and replays its response if it commits (%s)', async (end, replayed) => {
    const first = await beginFirst();
    try {
      const waiting = createSecond();
      await expect
        .poll(() => service.sql(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`))
        .toHaveLength(1);
      await first.query(end);
      const response = await waiting;
      expect([response.status, isReplay(response)]).toEqual([201, replayed]);
      expect((await service.api.get('/v1/pets')).json).toEqual([response.json]);
    } finally {
      await first.end();
    }
  });

  it('returns 503 with Retry-After after the timeout, and creates nothing', async () => {
    const first = await beginFirst();
    try {
      const response = await createSecond();
      expectError(response, 'service_unavailable');
      expect(response.headers.get('retry-after')).toBe('1');
    } finally {
      await first.end();
    }
    expect(idsOf(await service.api.get('/v1/pets'))).toEqual([]);
  });
});
