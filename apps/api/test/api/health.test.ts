import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { expectError } from '../support/expect-error.js';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let link: DatabaseLink;
let service: TestApp;
let anonymous: Api;
beforeAll(async () => {
  database = await createMigratedDatabase();
  link = await DatabaseLink.to(database.url);
  service = await startOn(link.url, { databaseStatementTimeoutMs: 1000, metricsPort: 9464 });
  anonymous = new Api(service.url);
});
afterAll(async () => {
  await service.close();
  await link.cut();
  await database.drop();
});

describe('GET /healthz and GET /readyz', () => {
  it.each(['/healthz', '/readyz'])('return 200 without a key: %s', async (path) => {
    const response = await anonymous.get(path);
    expect([response.status, response.text, response.headers.get('content-type')]).toEqual([
      200,
      '{"status":"ok"}',
      'application/json',
    ]);
    expect((await anonymous.head(path)).status).toBe(200);
  });

  it('respond to 100 concurrent requests without a connection for each', async () => {
    link.delayMs = 400;
    const responses = await Promise.all(Array.from({ length: 100 }, () => anonymous.get('/readyz')));
    link.delayMs = 0;
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('differ while the database is unavailable: 200 from /healthz, 503 from /readyz', async () => {
    await link.cut();
    const response = await anonymous.get('/readyz');
    expectError(response, 'service_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
    expect((await anonymous.get('/healthz')).status).toBe(200);
    expect(await service.metrics()).toContain('\npetstore_database_up 0\n');
    await link.mend();
    expect((await anonymous.get('/readyz')).status).toBe(200);
    expect(await service.metrics()).toContain('\npetstore_database_up 1\n');
  });
});

it('a service that starts while the database is unavailable waits for it', async () => {
  await link.cut();
  const unavailable = createServer((socket) => socket.destroy()).listen(Number(new URL(link.url).port), '127.0.0.1');
  const starting = startOn(link.url);
  await once(unavailable, 'connection');
  unavailable.close();
  await link.mend();
  const started = await starting;
  expect((await started.api.get('/v1/pets')).status).toBe(200);
  await started.close();
});
