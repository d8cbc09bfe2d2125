import { expect, it } from 'vitest';
import { execute, useDatabase } from '../support/scratch-database.js';

const database = useDatabase();

/** Returns a row if the setting has another value, or does not exist. */
function settingOtherThan(name: string, value: string): string {
  return `SELECT WHERE current_setting('${name}', true) IS DISTINCT FROM '${value}'`;
}

it.each([
  ['TLS of OpenSSL', settingOtherThan('ssl', 'off')],
  ['TCP', settingOtherThan('listen_addresses', '')],
  ['ICU for a database', `SELECT FROM pg_database WHERE datlocprovider <> 'b'`],
  [
    'ICU for a column',
    `SELECT FROM pg_attribute JOIN pg_collation c ON c.oid = attcollation WHERE c.collprovider = 'i'`,
  ],
  ['libxml2', `SELECT FROM pg_attribute WHERE atttypid = 'xml'::regtype AND attnum > 0`],
  ['libxslt and OSSP uuid, by extensions', `SELECT FROM pg_extension WHERE extname NOT IN ('plpgsql', 'pg_trgm')`],
])(
  'the database does not use %s: requests do not reach old libraries of the PostgreSQL package',
  async (_what, sql) => {
    expect(await execute(database.url, sql)).toEqual([]);
  },
);
