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

export const backupFormat = 'petstore backup 1';

/** The line after the last row. COPY escapes backslashes, so that no row can look like it. */
export const endOfRows = '\\.\n';

export function toLine(value: BackupHeader | TableHeader | TableSummary | BackupFooter): string {
  return `${JSON.stringify(value)}\n`;
}
