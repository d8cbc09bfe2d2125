import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { productVersion } from '../../product.js';
import { backupLock } from '../locks.js';
import { backupSequences, backupTables } from '../tables.js';
import {
  backupFormat,
  type BackupHeader,
  explained,
  rejectExisting,
  type TableHeader,
  writeBackupFile,
} from './backup-file.js';
import { appliedMigrations, quoted, withTransaction } from './transaction.js';

/**
 * Writes all tables to a new file, in one snapshot. The services can continue meanwhile.
 * @throws ExplainedError
 */
export function writeBackup(path: string, url: string): Promise<void> {
  return explained(`The backup to ${path}`, () =>
    withTransaction(url, 'snapshot', async (client) => {
      await requireLock(client);
      await writeSnapshot(client, { path, unfinished: `${path}.tmp`, createdAt: new Date() });
    }),
  );
}

/**
 * Only one process at a time backs up a database. Takes the lock until the end of the transaction.
 * @returns whether no other process has it.
 */
export async function takeLock(client: pg.Client): Promise<boolean> {
  const query = 'SELECT pg_try_advisory_xact_lock($1) AS taken';
  const { rows } = await client.query<{ taken: boolean }>(query, [backupLock]);
  return rows[0]?.taken === true;
}

/** @throws ExplainedError if another process has the lock */
export async function requireLock(client: pg.Client): Promise<void> {
  if (await takeLock(client)) return;
  throw new ExplainedError('Another process is writing a backup of this database. Try again when it has finished.');
}

interface SnapshotFile {
  path: string;
  unfinished: string;
  createdAt: Date;
}

/** Writes what the transaction sees. Requires the lock. */
export async function writeSnapshot(client: pg.Client, { createdAt, ...paths }: SnapshotFile): Promise<void> {
  await rejectExisting(paths.path);
  await rejectUnknownTables(client);
  const header: BackupHeader = {
    format: backupFormat,
    createdAt: createdAt.toISOString(),
    version: productVersion,
    migrations: await appliedMigrations(client),
    tables: await describeTables(client),
    sequences: await readSequences(client),
  };
  await writeBackupFile(paths, header, (table) => readRows(client, table));
}

/**
 * A newer version may have added tables. A backup without them would look complete. Tables of extensions do not count, nor
 * partitions: their table has their rows.
 */
async function rejectUnknownTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND NOT relname = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
     ORDER BY 1`,
    [[...backupTables, '_prisma_migrations']],
  );
  if (rows.length === 0) return;
  throw new ExplainedError(
    `The database has tables that this version of the service does not know: ${rows.map(({ name }) => name).join(', ')}. ` +
      'A backup would lack them. Use the version that created them, or pg_dump.',
  );
}

/** Describes the tables, without generated columns. A backup before a migration can lack tables that the migration creates. */
async function describeTables(client: pg.Client): Promise<TableHeader[]> {
  const { rows } = await client.query<TableHeader>(
    `SELECT name, array_agg(attname::text ORDER BY attnum) AS columns
     FROM unnest($1::text[]) WITH ORDINALITY AS planned (name, place) JOIN pg_attribute ON attrelid = to_regclass(name)
     WHERE attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY name, place ORDER BY place`,
    [backupTables],
  );
  return rows;
}

/** Sequences are not part of the snapshot. Read after it was taken, they are never behind the rows. */
async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
     WHERE sequencename = ANY($1) AND schemaname = current_schema() AND last_value IS NOT NULL`,
    [backupSequences],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The rows of a table as COPY writes them. */
function readRows(client: pg.Client, { name, columns }: TableHeader): AsyncIterable<Buffer> {
  // COPY reads the rows of partitions only from a query.
  return client.query(copyTo(`COPY (SELECT ${quoted(columns)} FROM ${name}) TO STDOUT (ENCODING 'UTF8')`));
}
