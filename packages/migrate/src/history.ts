import type pg from 'pg';
import { MigrationError } from './migration-error.js';
import type { MigrationFile } from './migration-files.js';

/** A row of Prisma's migration table that is not marked as rolled back. */
export interface MigrationRecord {
  name: string;
  checksum: string;
  startedAt: Date;
  isFinished: boolean;
}

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';

export async function readHistory(pool: pg.Pool): Promise<MigrationRecord[]> {
  try {
    const { rows } = await pool.query<MigrationRecord>(
      `SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS "isFinished"
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    return rows;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefinedTable) return [];
    if (code === insufficientPrivilege) throw unreadable(error);
    throw error;
  }
}

/**
 * Returns the migrations that the database lacks.
 * @throws MigrationError when the database has a migration that is unknown, unfinished or edited.
 */
export function pendingMigrations(history: MigrationRecord[], files: MigrationFile[]): MigrationFile[] {
  const checksums = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const unknown = history.filter(({ name }) => !checksums.has(name));
  if (unknown.length > 0) throw newerDatabase(unknown);
  const unfinished = history.find(({ isFinished }) => !isFinished);
  if (unfinished) throw unfinishedMigration(unfinished);
  const edited = history.filter(({ name, checksum }) => checksums.get(name) !== checksum);
  if (edited.length > 0) throw editedFiles(edited);
  const applied = new Set(history.map(({ name }) => name));
  return files.filter(({ name }) => !applied.has(name));
}

/** How to continue after a migration that was not rolled back as a whole. */
export function recovery(name: string): string {
  return (
    'Part of it may be in the database. Undo that part: for example, drop the invalid index that a failed CREATE INDEX ' +
    'CONCURRENTLY leaves. Then mark the migration as rolled back, and restart: ' +
    `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL;`
  );
}

function newerDatabase(unknown: MigrationRecord[]): MigrationError {
  return new MigrationError(
    `The database is newer than this version of the service, which does not know the migrations ${namesOf(unknown)}. ` +
      'Use the version that applied them, or a later one.',
  );
}

function unfinishedMigration({ name, startedAt }: MigrationRecord): MigrationError {
  return new MigrationError(
    `The migration ${name} started at ${startedAt.toISOString()} and has not finished. If another process is applying it, ` +
      `wait. Otherwise it failed. ${recovery(name)}`,
  );
}

function editedFiles(edited: MigrationRecord[]): MigrationError {
  return new MigrationError(
    `The migrations ${namesOf(edited)} were edited after they were applied to this database. Restore the files, and put ` +
      'the change into a new migration: npm run migration:new -- NAME.',
  );
}

function unreadable(cause: unknown): MigrationError {
  return new MigrationError(
    'The database role may not read the table _prisma_migrations. Run GRANT SELECT ON _prisma_migrations TO this role, or ' +
      'connect as the owner of the tables. See docs/operating.md, "A role for the service".',
    { cause },
  );
}

function namesOf(records: MigrationRecord[]): string {
  return records.map(({ name }) => name).join(', ');
}
