import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { BackupTable, TableHeader, TableSummary } from './backup-format.js';

/** The columns that can be copied. Empty if the table does not exist. */
export async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Yields the rows of a table as COPY writes them, and returns their number and checksum. */
export async function* readTableRows(
  client: pg.Client,
  { name, order }: BackupTable,
  { columns, pace }: { columns: readonly string[]; pace?: Pace | undefined },
): AsyncGenerator<Buffer, TableSummary> {
  const query = `COPY (SELECT ${quoted(columns)} FROM ${name} ORDER BY ${order}) TO STDOUT (ENCODING 'UTF8')`;
  const rows = client.query(copyTo(query));
  const hash = createHash('sha256');
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
    await pace?.rest();
  }
  return { rows: rows.rowCount, sha256: hash.digest('hex') };
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

/** Copies rows into a table, and returns their number and checksum. */
export async function writeRows(
  client: pg.Client,
  { table, columns }: TableHeader,
  rows: AsyncIterable<Buffer>,
): Promise<TableSummary> {
  const hash = createHash('sha256');
  const copy = client.query(copyFrom(`COPY ${table} (${quoted(columns)}) FROM STDIN (ENCODING 'UTF8')`));
  await pipeline(
    rows,
    async function* watch(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    copy,
  );
  return { rows: copy.rowCount, sha256: hash.digest('hex') };
}

/** Reads the rows of a table for their number and checksum. */
export async function summarize(...args: Parameters<typeof readTableRows>): Promise<TableSummary> {
  const rows = readTableRows(...args);
  for (;;) {
    const { done, value } = await rows.next();
    if (done) return value;
  }
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}

/** No limit may cancel a long transaction. A policy that hides rows is an error: the backup would lack them. */
const settings = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
  row_security: 'off',
};

/** Older servers do not have every setting. */
const applySettings = `
  SELECT set_config(name, value, true)
  FROM unnest($1::text[], $2::text[]) AS setting(name, value) JOIN pg_settings USING (name)`;

/** Reads one snapshot of the database, however long that takes. */
export const snapshot = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
export const readWrite = 'ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Runs `use` in a transaction on a separate connection. Rolls back if it fails. */
export async function withTransaction<Result>(
  url: string,
  mode: typeof snapshot | typeof readWrite,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: withSessionSettings(url),
    application_name: 'petstore backup',
    keepAlive: true,
  });
  // The next query reports a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`BEGIN TRANSACTION ${mode}`);
    await client.query(applySettings, [Object.keys(settings), Object.values(settings)]);
    const result = await use(client);
    await client.query('COMMIT');
    return result;
  } finally {
    // Without a COMMIT, this rolls back.
    await client.end();
  }
}
