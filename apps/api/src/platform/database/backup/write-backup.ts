import { rmSync } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncDirectory } from '@petstore/embedded-postgres';
import pg from 'pg';
import { productVersion } from '../../process.js';
import { BackupError, backupFormat, type BackupPlan, endOfRows, explain, toLine } from './backup-format.js';
import { columnsOf, type Pace, TableProgress, readTableRows, snapshot, withTransaction } from './backup-tables.js';

export interface BackupOptions {
  /** URL of the database. */
  readonly url: string;
  readonly plan: BackupPlan;
  readonly log: (message: string) => void;
  /** Slows a backup down. */
  readonly pace?: Pace;
}

/**
 * Writes all tables to a file, in one snapshot. The services can continue meanwhile. Returns the size of the file in bytes.
 * @throws BackupError
 */
export async function writeBackup(given: string, options: BackupOptions): Promise<number> {
  // The rename at the end would replace a link, such as /dev/stdout.
  const path = await realpath(given).catch(() => given);
  try {
    await rejectOtherThanFile(path);
    await deleteAbandoned(dirname(path), (name) => name === basename(path));
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

/** Otherwise the rename at the end would fail, or replace a device such as /dev/null. */
async function rejectOtherThanFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isFile()) return;
  if (!found.isDirectory()) throw new BackupError(`${path} is not a file. Name a file.`);
  throw new BackupError(`${path} is a directory. To write a file named by the time into it, use --directory ${path}.`);
}

/** A newer version may have added tables. A backup without them would look complete. Tables of extensions do not count. */
async function rejectUnknownTables(client: pg.Client, { tables, rebuilt }: BackupPlan): Promise<void> {
  const known = [...tables.map(({ name }) => name), ...rebuilt, '_prisma_migrations'];
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
    const progress = new TableProgress(`Backing up ${table.name}`, log);
    const summary = yield* readTableRows(client, table, { columns, progress, pace });
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

/** Sequences are not part of the snapshot. Read last, they are never behind the rows. */
async function sequenceValues(client: pg.Client, { tables }: BackupPlan): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
     WHERE sequencename = ANY($1) AND schemaname = current_schema() AND last_value IS NOT NULL`,
    [tables.flatMap(({ sequence }) => sequence ?? [])],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/**
 * Writes a backup into `directory` before the migration `name`, unless the database is empty.
 * @throws BackupError
 */
export async function backUpBefore(name: string, directory: string, options: BackupOptions): Promise<void> {
  if (!(await hasRows(options))) return;
  const path = join(directory, `before-${name}.backup.gz`);
  options.log(`Backing up the database to ${path} before the migration.`);
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw explain(`The creation of ${directory}`, error);
  });
  await writeBackup(path, { ...options, log: () => undefined });
}

async function hasRows({ url, plan: { mainTable } }: BackupOptions): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
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

const temporaryEnding = /\.\d+\.tmp$/;
/** A file that nothing has written to for this long belongs to a backup that was killed. */
const abandonedMs = 3_600_000;

/** Deletes the temporary files that killed backups left. `isBackup` returns whether a name is that of a backup. */
export async function deleteAbandoned(directory: string, isBackup: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!temporaryEnding.test(name) || !isBackup(name.replace(temporaryEnding, ''))) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}

type Content = AsyncIterable<Buffer | string>;

/**
 * Writes a compressed file that only its owner can read. The file appears when it is complete and on disk: an interrupted
 * write leaves the previous file. Returns its size in bytes.
 */
async function writeCompressedFile(path: string, content: Content): Promise<number> {
  const temporary = `${path}.${process.pid}.tmp`;
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
