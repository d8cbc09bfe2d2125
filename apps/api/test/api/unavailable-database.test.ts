import { once } from 'node:events';
import { createServer } from 'node:net';
import { migrate } from '@petstore/migrate';
import { Cleanup } from '@petstore/test-kit/cleanup.js';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { migrationsDirectory } from '../../src/platform/database/open-database.js';
import { DatabaseLink } from '../support/database-link.js';
import { expectError } from '../support/expect-error.js';
import { countLockWaits, execute, holdPets, useDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';
import { startOn, useAppOn } from '../support/test-app.js';

const database = useDatabase();
let link: DatabaseLink;
beforeAll(async () => {
  link = await DatabaseLink.to(database.url);
  return () => link.cut();
});
const service = useAppOn(() => link.url, { databaseStatementTimeoutMs: 1000, databasePoolMax: 2, metricsPort: 9464 });
/** A service with one connection and the default timeouts. */
const patient = useAppOn(() => database.url, { databasePoolMax: 1 });
afterEach(() => {
  service.logged.length = 0;
});

const rex = { name: 'Rex', categoryId: 7 };
const list = () => service.api.get('/v1/pets');
const create = () => service.api.post('/v1/pets', rex);

async function expectUnavailable(sent: Promise<{ status: number; headers: Headers; text: string }>): Promise<void> {
  const response = await sent;
  expectError(response, 'service_unavailable');
  expect(response.headers.get('retry-after')).toBe('1');
}

const expectWell = () => expect.poll(async () => (await list()).status).toBe(200);

/** Closes connections of this database, as the failover of a cluster closes all of them. */
async function closeConnections(condition: string): Promise<void> {
  const sessions = `pg_stat_activity WHERE datname = '${database.name}' AND ${condition}`;
  await execute(inject('serverUrl'), `SELECT pg_terminate_backend(pid, 5000) FROM ${sessions}`);
}

it('GET /healthz and GET /readyz return 200 without a key; /readyz returns 503 while the database is unavailable', async () => {
  const { anonymous } = service;
  for (const path of ['/healthz', '/readyz']) {
    expect(await anonymous.get(path)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect((await anonymous.head(path)).status).toBe(200);
  }
  await link.cut();
  await expectUnavailable(anonymous.get('/readyz'));
  expect((await anonymous.get('/healthz')).status).toBe(200);
  expect(await service.metrics()).toContain('\npetstore_database_up 0\n');
  await link.mend();
  await expect.poll(async () => (await anonymous.get('/readyz')).status).toBe(200);
  expect(await service.metrics()).toContain('\npetstore_database_up 1\n');
});

describe('an unavailable database', () => {
  const outageLines = () => service.logged.filter(({ failed }) => failed !== undefined);
  const loggedFailures = () => outageLines().reduce((sum, { failed }) => sum + Number(failed), 0);

  it('causes 503, logged once per second with the number of failed requests, and is used again when it is back', async () => {
    const sent = 50;
    await link.cut();
    await Promise.all(Array.from({ length: sent }, () => expectUnavailable(list())));
    for (const response of [create(), service.api.get('/v1/pets/1')]) await expectUnavailable(response);
    await expect.poll(loggedFailures).toBeGreaterThanOrEqual(sent + 2);
    expect(outageLines()[0]).toMatchObject({
      level: 50,
      requestId: expect.any(String) as string,
      err: { message: expect.any(String) as string },
    });
    expect(outageLines().length).toBeLessThan(sent);
    await link.mend();
    await expectWell();
  });

  it('causes 503 when a statement exceeds DATABASE_STATEMENT_TIMEOUT_MS', async () => {
    const lock = await holdPets(database.url);
    await Promise.all([list(), create(), service.api.get('/v1/pets/1')].map(expectUnavailable));
    await lock.query('ROLLBACK');
    await expectWell();
  });

  it('at the start is waited for', async () => {
    await link.cut();
    const unavailable = createServer((socket) => socket.destroy()).listen(Number(new URL(link.url).port), '127.0.0.1');
    const starting = startOn(link.url);
    await once(unavailable, 'connection');
    unavailable.close();
    await link.mend();
    const started = await starting;
    expect((await started.api.get('/v1/pets')).status).toBe(200);
  });
});

describe('a connection that breaks during a statement', () => {
  const closeWaiting = async () => {
    await expect.poll(() => countLockWaits(database.url)).toBe(1);
    await closeConnections(`wait_event_type = 'Lock'`);
  };

  it.each(['/v1/pets', '/v1/pets?q=rex', '/v1/pets?id=1'])('lets GET %s run once more', async (path) => {
    const lock = await holdPets(database.url);
    const response = patient.api.get(path);
    await closeWaiting();
    await expect.poll(() => countLockWaits(database.url)).toBe(1);
    await lock.query('ROLLBACK');
    expect((await response).status).toBe(200);
  });

  it('causes 503 for a create, because it may have taken effect', async () => {
    await holdPets(database.url);
    const response = patient.api.post('/v1/pets', rex);
    await closeWaiting();
    await expectUnavailable(response);
  });
});

describe('a database that is read-only', () => {
  it('after a create was rejected, causes 503, and the next create uses a new connection', async () => {
    // A server whose disk is full, or that has become a standby, reports this error.
    const reject = `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction'; END $$`;
    await execute(database.url, reject);
    await execute(database.url, 'CREATE TRIGGER reject BEFORE INSERT ON pet EXECUTE FUNCTION reject()');
    await expectUnavailable(patient.api.post('/v1/pets', rex));
    await execute(database.url, 'DROP FUNCTION reject CASCADE');
    expect((await patient.api.post('/v1/pets', rex)).status).toBe(201);
  });

  it('as a primary that became a standby, serves no reads, which could be stale, until it is promoted', async () => {
    const cleanup = new Cleanup();
    onTestFinished(() => cleanup.run());
    const postgres = await PostgresServer.start(cleanup, ['fsync = off']);
    await migrate(postgres.url(), { directory: migrationsDirectory, log: () => undefined });
    const other = await startOn(postgres.url());
    expect((await other.api.get('/v1/pets')).status).toBe(200);
    await postgres.createDatabase('empty');
    await postgres.demote();
    for (const url of [postgres.url(), postgres.url('empty')]) {
      expect(await startError(url)).toContain('The database server is a standby');
    }
    for (const path of ['/v1/pets', '/readyz']) await expectUnavailable(other.api.get(path));
    await postgres.query('SELECT pg_promote()');
    expect((await other.api.get('/v1/pets')).status).toBe(200);
    expect((await other.api.post('/v1/pets', rex)).status).toBe(201);
  });
});
