import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncDirectory } from '@petstore/embedded-postgres';
import { withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';
import { productVersion } from '../../product.js';
import {
  type BackupContent,
  BackupError,
  backupFormat,
  type BackupPlan,
  endOfRows,
  explain,
  lastIdOf,
  toLine,
} from './backup-format.js';
import { columnsOf, type Pace, readTableRows, snapshot, withTransaction } from './backup-tables.js';

export interface BackupOptions {
  /** URL of the database. */
  readonly url: string;
  readonly plan: BackupPlan;
  readonly log: (message: string) => void;
  /** Slows a backup down. */
  readonly pace?: Pace;
}

/**
 * Writes all tables to a new file, in one snapshot. The services can continue meanwhile. Returns the size of the file in
 * bytes.
 * @throws BackupError
 */
export async function writeBackup(path: string, options: BackupOptions): Promise<number> {
  try {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isDirectory()) throw new BackupError(`${path} is a directory. Name a new file in it.`);
    if (found) throw new BackupError(`${path} already exists, and was not changed. Name a new file.`);
    return await withTransaction(options.url, snapshot, (client) => writeSnapshot(client, path, options));
  } catch (error) {
    throw explain(`The backup to ${path}`, error);
  }
}

/** Writes what the transaction sees. Returns the size of the file in bytes. */
export async function writeSnapshot(client: pg.Client, path: string, options: BackupOptions): Promise<number> {
  await rejectUnknownTables(client, options.plan);
  return writeCompressedFile(path, backupContent(client, options));
}

/** A newer version may have added tables. A backup without them would look complete. Tables of extensions do not count. */
async function rejectUnknownTables(client: pg.Client, { tables }: BackupPlan): Promise<void> {
  const known = [...tables.map(({ name }) => name), '_prisma_migrations'];
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relname = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
     ORDER BY 1`,
    [known],
  );
  if (rows.length === 0) return;
  throw new BackupError(
    `The database has tables that this version of the service does not know: ${rows.map(({ name }) => name).join(', ')}. ` +
      'A backup would lack them. Use the version that created them, or pg_dump.',
  );
}

async function* backupContent(client: pg.Client, { plan, log, pace }: BackupOptions) {
  const createdAt = new Date().toISOString();
  yield toLine({
    format: backupFormat,
    createdAt,
    version: productVersion,
    migrations: await appliedMigrations(client),
  });
  for (const table of plan.tables) {
    const columns = await columnsOf(client, table.name);
    // A backup before a migration can lack tables that the migration creates.
    if (columns.length === 0) continue;
    yield toLine({ table: table.name, columns });
    const summary = yield* readTableRows(client, table, { columns, pace });
    yield endOfRows;
    yield toLine(summary);
    log(`Backed up ${table.name}: ${summary.rows} rows.`);
  }
  yield toLine({ sequences: await sequenceValues(client, plan) });
}

/** The names of the migrations that the database has, in their order. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map(({ name }) => name);
}

/** What the database has. */
export async function contentOf(client: pg.Client, plan: BackupPlan): Promise<BackupContent> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${plan.mainTable}`);
  return { rows: Number(rows[0]?.count), lastId: lastIdOf(plan, await sequenceValues(client, plan)) };
}

/** Sequences are not part of the snapshot. Read last, they are never behind the rows. */
async function sequenceValues(client: pg.Client, { tables }: BackupPlan): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
     WHERE sequencename = ANY($1) AND schemaname = current_schema() AND last_value IS NOT NULL`,
    [tables.flatMap(({ sequence }) => sequence ?? [])],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Whether the database has animals. It may lack the table. */
export async function hasRows(url: string, { mainTable }: BackupPlan): Promise<boolean> {
  const client = new pg.Client({ connectionString: withSessionSettings(url) });
  try {
    await client.connect();
    const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
      mainTable,
    ]);
    if (!rows[0]?.exists) return false;
    return (await client.query(`SELECT FROM ${mainTable} LIMIT 1`)).rowCount === 1;
  } finally {
    await client.end();
  }
}

/** Of a file that is not complete: `.UUID.tmp`. */
export const temporaryEnding = /\.[\da-f-]+\.tmp$/;

type Content = AsyncIterable<Buffer | string>;

/**
 * Writes a compressed file that only its owner can read. The file appears when it is complete and on disk. Returns its size
 * in bytes.
 */
async function writeCompressedFile(path: string, content: Content): Promise<number> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const remove = () => rmSync(temporary, { force: true });
  // A signal can end the process while the file is written.
  process.once('exit', remove);
  try {
    const file = await open(temporary, 'wx', 0o600);
    await pipeline(content, createGzip(), file.createWriteStream({ flush: true }));
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return (await stat(path)).size;
  } finally {
    process.off('exit', remove);
    remove();
  }
}
