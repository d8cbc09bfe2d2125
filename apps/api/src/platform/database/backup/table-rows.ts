import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { TableHeader, TableSummary } from './backup-format.js';
import type { BackupTable } from './backup-plan.js';
import type { Progress } from './progress.js';

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
export async function* readRows(
  client: pg.Client,
  { name, order }: BackupTable,
  { columns, progress }: { columns: readonly string[]; progress: Progress },
): AsyncGenerator<Buffer, TableSummary> {
  const query = `COPY (SELECT ${quoted(columns)} FROM ${name} ORDER BY ${order}) TO STDOUT (ENCODING 'UTF8')`;
  const rows = client.query(copyTo(query));
  const hash = createHash('sha256');
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    progress.add(chunk.length);
    yield chunk;
  }
  return { rows: rows.rowCount, sha256: hash.digest('hex') };
}

/** Copies rows into a table, and returns their number and checksum. */
export async function writeRows(
  client: pg.Client,
  { table, columns }: TableHeader,
  { rows, progress }: { rows: AsyncIterable<Buffer>; progress: Progress },
): Promise<TableSummary> {
  const hash = createHash('sha256');
  const copy = client.query(copyFrom(`COPY ${table} (${quoted(columns)}) FROM STDIN (ENCODING 'UTF8')`));
  await pipeline(
    rows,
    async function* watch(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        progress.add(chunk.length);
        yield chunk;
      }
    },
    copy,
  );
  return { rows: copy.rowCount, sha256: hash.digest('hex') };
}

/** Reads the rows of a table for their number and checksum. */
export async function summarize(...args: Parameters<typeof readRows>): Promise<TableSummary> {
  const rows = readRows(...args);
  for (;;) {
    const { done, value } = await rows.next();
    if (done) return value;
  }
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}
