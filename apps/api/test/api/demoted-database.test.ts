import { migrate } from '@petstore/migrate';
import { Cleanup } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationsDirectory } from '../../src/platform/database/open-database.js';
import { expectError } from '../support/expect-error.js';
import { startOn, type TestApp } from '../support/test-app.js';

const cleanup = new Cleanup();
let postgres: PostgresServer;
let service: TestApp;
beforeAll(async () => {
  postgres = await PostgresServer.start(cleanup, ['fsync = off']);
  await migrate(postgres.url(), { directory: migrationsDirectory, log: () => undefined });
  service = await startOn(postgres.url());
});
afterAll(async () => {
  await service.close();
  await cleanup.run();
});

const list = () => service.api.get('/v1/pets');

it('a primary that became a standby serves no reads, which could be stale, and works again once promoted', async () => {
  expect((await list()).status).toBe(200);
  await postgres.demote();
  for (const path of ['/v1/pets', '/readyz']) {
    const response = await service.api.get(path);
    expectError(response, 'service_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
  }
  await postgres.query('SELECT pg_promote()');
  expect((await list()).status).toBe(200);
  expect((await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
});
