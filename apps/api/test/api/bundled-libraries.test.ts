import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

describe('the old libraries that the package of PostgreSQL bundles', () => {
  it.each([
    ['TLS of OpenSSL', `SELECT FROM pg_settings WHERE name = 'ssl' AND setting <> 'off'`],
    ['TCP', `SELECT FROM pg_settings WHERE name = 'listen_addresses' AND setting <> ''`],
    ['ICU for a database', `SELECT FROM pg_database WHERE datlocprovider <> 'b'`],
    [
      'ICU for a column',
      `SELECT FROM pg_attribute JOIN pg_collation c ON c.oid = attcollation WHERE c.collprovider = 'i'`,
    ],
    ['libxml2', `SELECT FROM pg_attribute WHERE atttypid = 'xml'::regtype AND attnum > 0`],
    ['libxslt and OSSP uuid, which are extensions', `SELECT FROM pg_extension WHERE extname <> 'plpgsql'`],
  ])('are not reachable: the database does not use %s', async (_what, sql) => {
    expect(await service.sql(sql)).toEqual([]);
  });
});
