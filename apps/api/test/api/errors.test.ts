import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { DatabaseLink } from '../support/database-link.js';
import { expectError } from '../support/expect-error.js';
import { countLockWaits, createMigratedDatabase, execute, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let link: DatabaseLink;
let service: TestApp;
beforeAll(async () => {
  database = await createMigratedDatabase();
  link = await DatabaseLink.to(database.url);
  service = await startOn(link.url, { databaseStatementTimeoutMs: 1000, databasePoolMax: 2, bodyLimitBytes: 2048 });
});
afterAll(async () => {
  await service.close();
  await link.cut();
  await database.drop();
});
afterEach(() => {
  service.logged.length = 0;
});

const rex = { name: 'Rex', categoryId: 7 };

/** The log lines of a request, without its access log line. */
function warningsOf(headers: Headers): Record<string, unknown>[] {
  const requestId = headers.get('x-request-id');
  return service.logged.filter((line) => line['requestId'] === requestId && Number(line['level']) >= 40);
}

describe('a body', () => {
  it('larger than BODY_LIMIT_BYTES is rejected with 413 payload_too_large and the limit', async () => {
    const response = await service.api.post('/v1/pets', { ...rex, name: 'x'.repeat(2048) });
    expect(expectError(response, 'payload_too_large')).toContain('2048 bytes');
  });

  it('larger than BODY_LIMIT_BYTES is rejected with 413 when it is chunked', async () => {
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(' '.repeat(3000)));
        stream.close();
      },
    });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${service.url}/v1/pets`, { method: 'POST', headers, body, duplex: 'half' });
    expectError(
      { status: response.status, headers: response.headers, text: await response.text() },
      'payload_too_large',
    );
  });

  it('of exactly BODY_LIMIT_BYTES is accepted', async () => {
    const text = JSON.stringify(rex).padEnd(2048, ' ');
    expect((await service.api.post('/v1/pets', text)).status).toBe(201);
  });

  it.each([
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    'text/json',
    '*/*',
    ';',
  ])('of type %s is rejected with 415 unsupported_media_type and the allowed type', async (type) => {
    const response = await service.api.post('/v1/pets', JSON.stringify(rex), { 'content-type': type });
    expect(expectError(response, 'unsupported_media_type')).toContain('application/json');
  });

  it('without a type is rejected with 415 unsupported_media_type', async () => {
    const body = new Uint8Array(Buffer.from(JSON.stringify(rex)));
    expectError(await service.api.send('POST', '/v1/pets', { body }), 'unsupported_media_type');
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;charset=latin1',
    'application/json;v="1;2"',
  ])('of type %s is accepted', async (type) => {
    expect((await service.api.post('/v1/pets', JSON.stringify(rex), { 'content-type': type })).status).toBe(201);
  });

  it('that is compressed is rejected with 415 unsupported_media_type', async () => {
    const response = await service.api.post('/v1/pets', JSON.stringify(rex), { 'content-encoding': 'gzip' });
    expect(expectError(response, 'unsupported_media_type')).toContain('Content-Encoding');
  });
});

describe('an unexpected error', () => {
  it('returns 500 internal_error without details, and is logged once with the request id', async () => {
    const fault = vi.spyOn(service.clock, 'now').mockImplementation(() => {
      throw new Error('SELECT secret FROM the_clock');
    });
    const response = await service.api.get('/v1/pets');
    fault.mockRestore();
    expectError(response, 'internal_error');
    expect(response.text).not.toMatch(/secret|clock|at /);
    expect(warningsOf(response.headers)).toMatchObject([
      { level: 50, err: { message: 'SELECT secret FROM the_clock', stack: expect.any(String) as string } },
    ]);
  });

  it('of the database returns 500 internal_error without the query', async () => {
    await service.sql('ALTER TABLE pet RENAME COLUMN name TO gone');
    const responses = [
      await service.api.get('/v1/pets'),
      await service.api.post('/v1/pets', rex),
      await service.api.get('/v1/pets/1'),
    ];
    await service.sql('ALTER TABLE pet RENAME COLUMN gone TO name');
    for (const response of responses) {
      expectError(response, 'internal_error');
      expect(response.text).not.toMatch(/gone|prisma|table|column|select|public/i);
      expect(warningsOf(response.headers)).toHaveLength(1);
    }
  });
});

describe('an unavailable database', () => {
  async function expectUnavailable(): Promise<void> {
    const responses = await Promise.all([
      service.api.get('/v1/pets'),
      service.api.post('/v1/pets', rex),
      service.api.get('/v1/pets/1'),
    ]);
    for (const response of responses) {
      expectError(response, 'service_unavailable');
      expect(response.headers.get('retry-after')).toBe('1');
    }
    await expect.poll(loggedFailures).toBeGreaterThanOrEqual(responses.length);
    for (const line of outageLines()) {
      expect(line).toMatchObject({ level: 50, requestId: expect.any(String) as string });
      expect(line).toMatchObject({ err: { message: expect.any(String) as string } });
    }
  }

  const outageLines = () => service.logged.filter(({ failed }) => failed !== undefined);
  const loggedFailures = () => outageLines().reduce((sum, { failed }) => sum + Number(failed), 0);

  const expectWell = () => expect.poll(async () => (await service.api.get('/v1/pets')).status).toBe(200);

  it('causes 503 service_unavailable with Retry-After, and is used again when it is back', async () => {
    await link.cut();
    await expectUnavailable();
    await link.mend();
    await expectWell();
  });

  it('is logged once per second with the number of failed requests', async () => {
    const sent = 50;
    await link.cut();
    await Promise.all(Array.from({ length: sent }, () => service.api.get('/v1/pets')));
    await expect.poll(loggedFailures).toBeGreaterThanOrEqual(sent);
    expect(outageLines().length).toBeLessThan(sent / 4);
    await link.mend();
    await expectWell();
  });

  it('causes 503 when the connection is lost during a query', async () => {
    const lock = await lockPets();
    const responses = [service.api.get('/v1/pets'), service.api.post('/v1/pets', rex)];
    await expect.poll(() => countLockWaits(database.url), { interval: 20 }).toBe(2);
    await service.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore' AND datname = current_database()`,
    );
    for (const response of await Promise.all(responses)) expectError(response, 'service_unavailable');
    await lock.end();
    await expectWell();
  });

  it('causes 503 when a statement exceeds DATABASE_STATEMENT_TIMEOUT_MS', async () => {
    const lock = await lockPets();
    await expectUnavailable();
    await lock.end();
    await expectWell();
  });

  it('causes 503 when it accepts no connection', async () => {
    const allowConnections = (allowed: boolean) =>
      execute(inject('serverUrl'), `ALTER DATABASE ${database.name} ALLOW_CONNECTIONS ${allowed}`);
    await link.cut();
    await allowConnections(false);
    await link.mend();
    await expectUnavailable();
    await allowConnections(true);
    await expectWell();
  });
});

/** Blocks all reads and writes of pets until the client ends. */
async function lockPets(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE pet IN ACCESS EXCLUSIVE MODE');
  return client;
}
