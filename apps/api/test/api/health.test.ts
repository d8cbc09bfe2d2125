import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { expectError } from '../support/expect-error.js';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let link: DatabaseLink;
let service: TestApp;
let anybody: Api;
beforeAll(async () => {
  database = await createMigratedDatabase();
  link = await DatabaseLink.to(database.url);
  service = await startOn(link.url, { databaseStatementTimeoutMs: 1000 });
  anybody = new Api(service.url);
});
afterAll(async () => {
  await service.close();
  await link.cut();
  await database.drop();
});

describe('GET /healthz and GET /readyz', () => {
  it.each(['/healthz', '/readyz'])('answer 200 without a key: %s', async (path) => {
    const answer = await anybody.get(path);
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
      200,
      '{"status":"ok"}',
      'application/json',
    ]);
    expect((await anybody.head(path)).status).toBe(200);
  });

  it('answer as many as ask at once, without a connection for each', async () => {
    link.delayMs = 400;
    const answers = await Promise.all(Array.from({ length: 100 }, () => anybody.get('/readyz')));
    link.delayMs = 0;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('differ while the database is away: alive, 200, but not ready, 503', async () => {
    await link.cut();
    const answer = await anybody.get('/readyz');
    expectError(answer, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await anybody.get('/healthz')).status).toBe(200);
    await link.mend();
    expect((await anybody.get('/readyz')).status).toBe(200);
  });
});
