import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { productVersion } from '../../product.js';
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
  return explained(`The backup to ${path}`, async () => {
    await rejectExisting(path);
    await withTransaction(url, 'snapshot', async (client) => {
      await writeBackupFile(path, await describeSnapshot(client), (table) => readRows(client, table));
    });
  });
}

/** Returns the header for a backup of what the transaction sees. */
export async function describeSnapshot(client: pg.Client): Promise<BackupHeader> {
  // The time of the snapshot: a slow backup must not look newer than one whose snapshot is later.
  const createdAt = new Date().toISOString();
  await rejectUnknownTables(client);
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM pet`);
  return {
    format: backupFormat,
    createdAt,
    version: productVersion,
    migrations: await appliedMigrations(client),
    animals: Number(rows[0]?.count),
    tables: await describeTables(client),
    sequences: await readSequences(client),
  };
}

/**
 * A newer version may have added tables. A backup without them would look complete. Tables of extensions do not count, nor
 * partitions: their table has their rows.
 */
async function rejectUnknownTables(client: pg.Client): Promise<void> {
  const known = [...backupTables, '_prisma_migrations'];
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND NOT relname = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
     ORDER BY 1`,
    [known],
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

/** Yields the rows of a table as COPY writes them. `pace` slows this down. */
export async function* readRows(
  client: pg.Client,
  { name, columns }: TableHeader,
  pace?: Pace,
): AsyncGenerator<Buffer> {
  // COPY reads the rows of partitions only from a query.
  const rows = client.query(copyTo(`COPY (SELECT ${quoted(columns)} FROM ${name}) TO STDOUT (ENCODING 'UTF8')`));
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    yield chunk;
    await pace?.rest();
  }
}

const minWorkMs = 5;
const restsPerWork = 9;

/** Spreads work over time, so that requests hardly notice it: PostgreSQL too pauses while nothing reads its rows. */
export class Pace {
  private beganAt = performance.now();

  async rest(): Promise<void> {
    const workedMs = performance.now() - this.beganAt;
    if (workedMs < minWorkMs) return;
    await sleep(restsPerWork * workedMs);
    this.beganAt = performance.now();
  }
}
