import { pipeline } from 'node:stream/promises';
import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import type { DatabaseError } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { commandLine } from '../../product.js';
import { type BackupHeader, explained, insufficientPrivilege, readBackup, type TableHeader } from './backup-file.js';
import { backupTables } from '../tables.js';
import { appliedMigrations, quoted, withTransaction } from './transaction.js';

/**
 * Restores a backup into a database that has the schema of this version and no animals. An error leaves the database
 * unchanged.
 * @returns the number of restored rows of each table
 * @throws ExplainedError
 */
export function restoreBackup(path: string, url: string): Promise<ReadonlyMap<string, number>> {
  const restore = () =>
    readBackup(path, (header, tables) =>
      withTransaction(url, 'write', async (client) => {
        await checkVersion(client, header);
        await emptyTables(client);
        const restored = new Map<string, number>();
        for await (const { table, rows } of tables) restored.set(table.name, await copyRows(client, table, rows));
        // New rows must get ids that were never used, not even by a row that is gone.
        for (const setting of Object.entries(header.sequences)) await client.query('SELECT setval($1, $2)', setting);
        return restored;
      }),
    );
  return explained(`The restore of ${path}`, restore);
}

async function checkVersion(client: pg.Client, { migrations }: BackupHeader): Promise<void> {
  const applied = new Set(await appliedMigrations(client));
  const unknown = migrations.filter((name) => !applied.has(name));
  if (unknown.length === 0) return;
  // A newer version has the migrations of this one too.
  const writer =
    unknown.length < migrations.length ? 'newer version of the service' : 'development version of Petstore';
  throw new ExplainedError(
    `A ${writer} wrote this backup: this version lacks the migrations ${unknown.join(', ')}. ` +
      'Restore it with that version. Nothing was changed.',
  );
}

/** Blocks writes of running services until the end. Deletes in the reverse order, because of the foreign keys. */
async function emptyTables(client: pg.Client): Promise<void> {
  await client.query(`LOCK TABLE ${backupTables.join(', ')} IN EXCLUSIVE MODE`);
  const { rowCount } = await client.query('SELECT FROM pet LIMIT 1');
  if (rowCount !== 0) {
    throw new ExplainedError(
      'The database is not empty, so nothing was changed. Restore into a new database: set DATA_DIR to a new ' +
        `directory or DATABASE_URL to an empty database, and run "${commandLine('migration apply')}" first.`,
    );
  }
  for (const name of backupTables.toReversed()) await client.query(`DELETE FROM ${name}`);
}

/** Returns the number of rows. */
async function copyRows(
  client: pg.Client,
  { name, columns }: TableHeader,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const copy = client.query(copyFrom(`COPY ${quoted([name])} (${quoted(columns)}) FROM STDIN (ENCODING 'UTF8')`));
  await pipeline(rows, copy).catch(explainSchema);
  return copy.rowCount;
}

/** The migrations are known: only one that was edited before its release rejects intact rows. */
function explainSchema(error: Partial<DatabaseError>): never {
  const { code = '', message } = error;
  if (!/^(22|23|42)/.test(code) || code === insufficientPrivilege) throw error as Error;
  throw new Error(
    `${message}. The schema of this version rejects this backup: a development version of Petstore wrote it, or it is ` +
      'damaged. Restore it with that version, or use another backup',
    { cause: error },
  );
}
