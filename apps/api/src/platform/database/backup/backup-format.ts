import { ExplainedError } from '@petstore/contracts';

/**
 * A backup is a gzip file of text. Lines of JSON describe it; the rows of a table are what PostgreSQL's COPY writes:
 *
 *   BackupHeader
 *   TableHeader, the rows, `\.`, TableSummary    (for each table)
 *   BackupFooter
 */
export interface BackupHeader {
  readonly format: typeof backupFormat;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The version of the service that wrote the backup. */
  readonly version: string;
  /** The schema version: the names of the applied migrations. */
  readonly migrations: readonly string[];
}

export interface TableHeader {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface TableSummary {
  readonly rows: number;
  /** Of the rows as COPY writes them, in the order of the backup plan. */
  readonly sha256: string;
}

export interface BackupFooter {
  /** The last value of each used sequence. Text, because it can exceed 2^53. */
  readonly sequences: Readonly<Record<string, string>>;
}

/** How much a store has. Neither number ever decreases, because animals are only ever added. */
export interface BackupContent {
  /** Of the main table. */
  readonly rows: number;
  /** The last id that its sequence gave; 0 if none. */
  readonly lastId: bigint;
}

export const backupFormat = 'petstore backup 1';

/** The line after the last row. COPY escapes backslashes, so that no row can look like it. */
export const endOfRows = '\\.\n';

export function toLine(value: BackupHeader | TableHeader | TableSummary | BackupFooter): string {
  return `${JSON.stringify(value)}\n`;
}

/** What a backup holds. The file src/database-content.ts lists the tables of this service. */
export interface BackupPlan {
  /** In the order of a restore: a table comes after the tables that it refers to. */
  readonly tables: readonly BackupTable[];
  /** A restore requires that this table has no rows. */
  readonly mainTable: string;
}

export interface BackupTable {
  readonly name: string;
  /** The SQL that orders the rows. It must give the same order on every server. */
  readonly order: string;
  /** The sequence of the column `id`. */
  readonly sequence?: string;
  /** The migration that created the table. Backups of an older schema lack it. Default: the first migration. */
  readonly since?: string;
}

export function lastIdOf({ tables, mainTable }: BackupPlan, sequences: BackupFooter['sequences']): bigint {
  const sequence = tables.find(({ name }) => name === mainTable)?.sequence;
  return BigInt((sequence && sequences[sequence]) ?? 0);
}

/** A backup or a restore failed. The message names the cause and what was changed. */
export class BackupError extends ExplainedError {}

const insufficientPrivilege = '42501';

/** Adds what was attempted to an error of the file system or of PostgreSQL. */
export function explain(attempt: string, error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  const { code, message } = error as { code?: string; message: string };
  const advice = code === insufficientPrivilege ? ' Set DATABASE_URL to a URL of the owner of the tables.' : '';
  return new BackupError(`${attempt} failed: ${message}.${advice}`, { cause: error });
}
