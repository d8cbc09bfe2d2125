import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import {
  countLockWaits,
  createMigratedDatabase,
  execute,
  holdPets,
  type ScratchDatabase,
} from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let service: TestApp;
beforeAll(async () => {
  database = await createMigratedDatabase();
  service = await startOn(database.url, { databasePoolMax: 1 });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const rex = { name: 'Rex', categoryId: 7 };

/** Closes connections of this database, as the failover of a cluster closes all of them. */
async function closeConnections(condition: string): Promise<void> {
  const sessions = `pg_stat_activity WHERE datname = '${database.name}' AND ${condition}`;
  await execute(inject('serverUrl'), `SELECT pg_terminate_backend(pid, 5000) FROM ${sessions}`);
}

async function closeWaitingConnection(): Promise<void> {
  await expect.poll(() => countLockWaits(database.url)).toBe(1);
  await closeConnections(`wait_event_type = 'Lock'`);
}

it.each(['/v1/pets', '/v1/pets?status=sold', '/v1/pets?id=1'])(
  'GET %s runs once more when its connection breaks',
  async (path) => {
    const lock = await holdPets(database.url);
    const response = service.api.get(path);
    await closeWaitingConnection();
    await expect.poll(() => countLockWaits(database.url)).toBe(1);
    await lock.query('ROLLBACK');
    expect((await response).status).toBe(200);
  },
);

it('a create whose connection breaks returns 503 with Retry-After, because it may have taken effect', async () => {
  await holdPets(database.url);
  const response = service.api.post('/v1/pets', rex);
  await closeWaitingConnection();
  expectError(await response, 'service_unavailable');
  expect((await response).headers.get('retry-after')).toBe('1');
});

it('a create that the server rejects as read-only returns 503, and the next one uses a new connection', async () => {
  const setReadOnly = (value: string) =>
    execute(inject('serverUrl'), `ALTER DATABASE ${database.name} SET default_transaction_read_only = ${value}`);
  await setReadOnly('on');
  await closeConnections(`application_name = 'petstore'`);
  await expect.poll(async () => (await service.api.get('/v1/pets')).status).toBe(200);
  const response = await service.api.post('/v1/pets', rex);
  await setReadOnly('off');
  expectError(response, 'service_unavailable');
  expect(response.headers.get('retry-after')).toBe('1');
  expect((await service.api.post('/v1/pets', rex)).status).toBe(201);
});
