import type pg from 'pg';
import { productVersion } from '../../process.js';
import { explain } from './backup-error.js';
import { backupFormat, endOfRows, toLine } from './backup-format.js';
import type { BackupPlan } from './backup-plan.js';
import { snapshot, withTransaction } from './backup-session.js';
import { writeCompressedFile } from './durable-file.js';
import { Progress } from './progress.js';
import { columnsOf, readRows } from './table-rows.js';

export interface BackupOptions {
  /** URL of the database. */
  readonly url: string;
  readonly plan: BackupPlan;
  readonly log: (message: string) => void;
}

/**
 * Writes all tables to a file, in one snapshot. The services can continue meanwhile. Returns the size of the file in bytes.
 * @throws BackupError
 */
export async function writeBackup(path: string, { url, plan, log }: BackupOptions): Promise<number> {
  try {
    return await withTransaction(url, snapshot, (client) =>
      writeCompressedFile(path, backupContent(client, plan, log)),
    );
  } catch (error) {
    throw explain(`The backup to ${path}`, error);
  }
}

async function* backupContent(client: pg.Client, plan: BackupPlan, log: BackupOptions['log']) {
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
    const progress = new Progress(`Backing up ${table.name}`, log);
    const summary = yield* readRows(client, table, { columns, progress });
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
