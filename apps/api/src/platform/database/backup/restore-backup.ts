import type pg from 'pg';
import {
  BackupError,
  type BackupFooter,
  type BackupHeader,
  type BackupTable,
  explain,
  type TableHeader,
  type TableSummary,
} from './backup-format.js';
import { BackupReader } from './backup-reader.js';
import { columnsOf, readWrite, summarize, withTransaction, writeRows } from './backup-tables.js';
import { appliedMigrations, type BackupOptions } from './write-backup.js';

/** The number of restored rows of each table. */
export type RestoredRows = ReadonlyMap<string, number>;

/**
 * Restores a backup into a database that has the schema of this version and is empty. Compares every row with the backup
 * before the commit: an error leaves the database unchanged.
 * @throws BackupError
 */
export async function restoreBackup(path: string, options: BackupOptions): Promise<RestoredRows> {
  try {
    const { reader, header } = await BackupReader.open(path);
    return await withTransaction(options.url, readWrite, (client) => new Restore(client, reader, options).run(header));
  } catch (error) {
    throw explain(`The restore of ${path}`, error);
  }
}

class Restore {
  private readonly restored = new Map<string, number>();

  constructor(
    private readonly client: pg.Client,
    private readonly reader: BackupReader,
    private readonly options: BackupOptions,
  ) {}

  async run({ migrations }: BackupHeader): Promise<RestoredRows> {
    await this.checkVersion(migrations);
    await this.emptyTables();
    const { sequences } = await this.copyTables();
    await this.reader.expectEnd();
    this.requireTables(migrations);
    for (const table of this.options.plan.tables) await this.setSequence(table, sequences);
    return this.restored;
  }

  private async checkVersion(migrations: readonly string[]): Promise<void> {
    const applied = new Set(await appliedMigrations(this.client));
    const unknown = migrations.filter((name) => !applied.has(name));
    if (unknown.length === 0) return;
    throw new BackupError(
      `A newer version of the service wrote this backup: this version lacks the migrations ${unknown.join(', ')}. ` +
        'Restore it with that version. Nothing was changed.',
    );
  }

  /** Blocks writes of running services until the end. Deletes in the reverse order, because of the foreign keys. */
  private async emptyTables(): Promise<void> {
    const { tables, mainTable } = this.options.plan;
    const names = tables.map(({ name }) => name);
    await this.client.query(`LOCK TABLE ${names.join(', ')} IN EXCLUSIVE MODE`);
    const { rowCount } = await this.client.query(`SELECT FROM ${mainTable} LIMIT 1`);
    if (rowCount !== 0) {
      throw new BackupError(
        'The database is not empty, so nothing was changed. Restore into a new database: set DATA_DIR to a new ' +
          'directory or DATABASE_URL to an empty database, and run "npm run migration:apply" first.',
      );
    }
    for (const name of names.toReversed()) await this.client.query(`DELETE FROM ${name}`);
  }

  private async copyTables(): Promise<BackupFooter> {
    for (;;) {
      const section = await this.reader.readSection();
      if ('sequences' in section) return section;
      await this.copyTable(section);
    }
  }

  /** Without a table, the restore would delete its rows: a file without keys would remove every key. */
  private requireTables(migrations: readonly string[]): void {
    const missing = this.options.plan.tables.filter(
      ({ name, since }) => !this.restored.has(name) && (since === undefined || migrations.includes(since)),
    );
    if (missing.length === 0) return;
    throw this.reader.damaged(`it lacks the table ${missing.map(({ name }) => name).join(', ')}`);
  }

  private async copyTable(header: TableHeader): Promise<void> {
    const table = await this.findTable(header);
    if (this.restored.has(table.name)) throw this.reader.damaged(`it contains the table ${table.name} twice`);
    const written = await writeRows(this.client, header, this.reader.readRows()).catch((error: unknown) => {
      throw this.explainRejection(table.name, error);
    });
    const expected = (await this.reader.readLine()) as TableSummary;
    if (!isEqual(written, expected)) throw this.reader.damaged(`the checksum of ${table.name} is wrong`);
    const stored = await summarize(this.client, table, { columns: header.columns });
    if (!isEqual(stored, expected)) {
      throw new BackupError(`The restored rows of ${table.name} differ from the backup. Nothing was changed.`);
    }
    this.restored.set(table.name, stored.rows);
    this.options.log(`Compared ${table.name}: ${stored.rows} rows.`);
  }

  /** Class 22 is a value that is no value of its type, class 23 a row that breaks a constraint. */
  private explainRejection(table: string, error: unknown): unknown {
    const { code, message } = error as { code?: unknown; message: string };
    if (typeof code !== 'string' || !/^2[23]/.test(code)) return error;
    return this.reader.damaged(`PostgreSQL rejects a row of ${table}: ${message}`, error);
  }

  private async findTable({ table: name, columns }: TableHeader): Promise<BackupTable> {
    const table = this.options.plan.tables.find((known) => known.name === name);
    const known = new Set(table && (await columnsOf(this.client, name)));
    const unknown = columns.filter((column) => !known.has(column));
    if (table && unknown.length === 0) return table;
    throw new BackupError(
      `This version has no ${table ? `columns ${unknown.join(', ')} in the table ${name}` : `table ${name}`}. Restore ` +
        'the backup with the version that wrote it, then upgrade. Nothing was changed.',
    );
  }

  /** New rows must get ids that were never used, not even by a row that is gone. */
  private async setSequence({ name, sequence }: BackupTable, saved: BackupFooter['sequences']): Promise<void> {
    if (sequence === undefined) return;
    const last = `greatest($2::bigint, (SELECT max(id) FROM ${name}))`;
    await this.client.query(`SELECT setval($1, ${last}) WHERE ${last} > 0`, [sequence, saved[sequence]]);
  }
}

function isEqual(one: TableSummary, other: TableSummary): boolean {
  return one.rows === other.rows && one.sha256 === other.sha256;
}
