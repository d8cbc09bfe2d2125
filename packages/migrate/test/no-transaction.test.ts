import { describe, expect, it } from 'vitest';
import { migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, query } from './test-database.js';

const marker = '-- petstore: no transaction';
const table = { '1_toy': 'CREATE TABLE toy (name text); INSERT INTO toy VALUES (1), (1);' };
const indexes = `SELECT relname::text AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON oid = indexrelid
  WHERE indrelid = 'toy'::regclass`;

describe('a migration marked "no transaction"', () => {
  it('runs CREATE INDEX CONCURRENTLY, which does not block while other services wait for it', async () => {
    const { url } = await emptyDatabase();
    const sql = `${marker}\n-- One statement; comments are allowed.\nCREATE INDEX CONCURRENTLY toy_name ON toy (name);\n`;
    const folder = await migrationFolder({ ...table, '2_index': sql, '3_more': 'CREATE TABLE more ();' });
    const runs = await Promise.all([1, 2, 3].map(() => migrateQuietly(url, folder)));
    expect(runs.flat()).toEqual(['1_toy', '2_index', '3_more']);
    expect(await query(url, indexes)).toEqual([{ name: 'toy_name', valid: true }]);
  });

  it('is required for CREATE INDEX CONCURRENTLY, as the error explains', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ ...table, '2_index': 'CREATE INDEX CONCURRENTLY toy_name ON toy (name);' });
    await expect(migrateQuietly(url, folder)).rejects.toThrow(
      /cannot run inside a transaction block\. Put the statement alone into a migration that starts with "-- petstore: no transaction"\. It was rolled back/,
    );
  });

  it('must contain exactly one statement, otherwise none runs', async () => {
    const { url } = await emptyDatabase();
    const sql = `${marker}\nCREATE INDEX CONCURRENTLY toy_name ON toy (name);\nDROP TABLE toy;`;
    const folder = await migrationFolder({ ...table, '2_two': sql });
    await expect(migrateQuietly(url, folder)).rejects.toThrow('must hold exactly one statement.');
    expect(await query(url, indexes)).toEqual([]);
    expect(await query(url, 'SELECT name FROM toy')).toHaveLength(2);
  });

  it('stops the next run if it fails, and is applied after the steps in the error', async () => {
    const { url } = await emptyDatabase();
    const sql = `${marker}\nCREATE UNIQUE INDEX CONCURRENTLY toy_name ON toy (name);`;
    const folder = await migrationFolder({ ...table, '2_unique': sql });
    const { message } = (await migrateQuietly(url, folder).catch((error: Error) => error)) as Error;
    expect(message).toMatch(
      /^The migration 2_unique failed: could not create unique index.* drop the invalid index .* mark the migration as rolled back/,
    );
    expect(await query(url, indexes)).toEqual([{ name: 'toy_name', valid: false }]);
    await expect(migrateQuietly(url, folder)).rejects.toThrow(
      /^The migration 2_unique started .* and has not finished/,
    );

    await query(url, 'DROP INDEX CONCURRENTLY toy_name');
    await query(url, /UPDATE .*;$/.exec(message)?.[0] ?? '');
    await query(url, 'UPDATE toy SET name = ctid::text');
    expect(await migrateQuietly(url, folder)).toEqual(['2_unique']);
    expect(await query(url, indexes)).toEqual([{ name: 'toy_name', valid: true }]);
  });
});
