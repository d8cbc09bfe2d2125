import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { readStatement } from './connection.js';
import { MigrationError, MissingRightError } from './migration-error.js';
import { breaking, type MigrationFile } from './migration-files.js';

/** A row of Prisma's migration table that is not marked as rolled back. */
export interface MigrationRecord {
  name: string;
  checksum: string;
  startedAt: Date;
  isFinished: boolean;
}

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';

/**
 * The migrations of a database. Empty without Prisma's table.
 * @throws MissingRightError if the role cannot read the table.
 */
export async function readHistory(client: Client): Promise<MigrationRecord[]> {
  try {
    const { rows } = await client.query<MigrationRecord>(
      readStatement(
        `SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS "isFinished"
         FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
      ),
    );
    return rows;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (message === 'Query read timeout') throw lockedHistory(error);
    if (code === undefinedTable) return [];
    if (code === insufficientPrivilege) throw unreadable(error);
    throw error;
  }
}

/** Prisma's own definition. */
const createTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/** Records that a migration starts, and creates the table if needed. Returns the id of the record. */
export async function recordStart(client: Client, { name, checksum }: MigrationFile): Promise<string> {
  const id = randomUUID();
  await client.query(createTable);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())`,
    [id, checksum, name],
  );
  return id;
}

/** Marks a migration as finished. */
export async function recordEnd(client: Client, id: string): Promise<void> {
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
    [id],
  );
}

/** Whether the schema has objects, but no migration table: those of another application. Extensions do not count. */
export async function isForeign(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH object AS (
       SELECT tableoid, oid FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f', 'v', 'm', 'S')
       UNION ALL
       SELECT tableoid, oid FROM pg_type WHERE typnamespace = current_schema()::regnamespace AND typtype IN ('e', 'd')
     )
     SELECT FROM object WHERE to_regclass('_prisma_migrations') IS NULL
       AND (tableoid, oid) NOT IN (SELECT classid, objid FROM pg_depend WHERE deptype = 'e') LIMIT 1`,
  );
  return rowCount !== 0;
}

/** How a database differs from this version. */
export interface HistoryComparison {
  /** The migrations that the database lacks. */
  pending: MigrationFile[];
  /** Names a newer version whose migrations this version can run on. `undefined` if the database has no such migration. */
  warning?: string;
}

/**
 * Compares the migrations of a database with those of this version. A newer version may have added others. This version
 * runs on them, also on unfinished ones, unless the name of one ends in `-breaking`.
 * @throws MigrationError when the database is that of another program, or has a migration that breaks this version, is
 * unfinished or was edited.
 */
export function compare(history: MigrationRecord[], files: MigrationFile[]): HistoryComparison {
  const checksums = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const unknown = history.filter(({ name }) => !checksums.has(name));
  const known = history.filter(({ name }) => checksums.has(name));
  if (unknown.length > 0 && known.length === 0) throw anotherProgram(unknown);
  const applied = new Set(history.map(({ name }) => name));
  const pending = files.filter(({ name }) => !applied.has(name));
  if (unknown.some(({ name }) => name.endsWith(breaking)) || (unknown.length > 0 && pending.length > 0)) {
    throw newerDatabase(unknown);
  }
  const unfinished = known.find(({ isFinished }) => !isFinished);
  if (unfinished) throw unfinishedMigration(unfinished);
  const edited = known.filter(({ name, checksum }) => checksums.get(name) !== checksum);
  if (edited.length > 0) throw editedFiles(edited);
  return { pending, ...(unknown.length > 0 && { warning: compatibleDatabase(unknown) }) };
}

/** How to continue after a migration that was not rolled back as a whole. */
export function recovery(name: string): string {
  return (
    'Part of it may be in the database. Undo that part: for example, drop the invalid index that a failed CREATE INDEX ' +
    'CONCURRENTLY leaves. Then mark the migration as rolled back, and restart: ' +
    `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL;`
  );
}

function compatibleDatabase(unknown: MigrationRecord[]): string {
  return (
    `The database is newer than this version of the service, which does not know the migrations ${namesOf(unknown)}. ` +
    'They do not break this version. Upgrade it when you can.'
  );
}

function anotherProgram(unknown: MigrationRecord[]): MigrationError {
  return new MigrationError(
    `The database is that of another program, which also uses Prisma, with the migrations ${namesOf(unknown)}. ` +
      'Set DATABASE_URL to an empty database.',
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

function unreadable(cause: unknown): MissingRightError {
  return new MissingRightError(
    'The database role may not read the table _prisma_migrations. Run GRANT SELECT ON _prisma_migrations TO this role, or ' +
      'connect as the owner of the tables. See docs/install.md, "A role for the service".',
    { cause },
  );
}

function lockedHistory(cause: unknown): MigrationError {
  return new MigrationError(
    `The table _prisma_migrations was not readable within 10 s: another session probably has a lock on ` +
      "it. End that session, then restart. To find it: SELECT pid FROM pg_locks WHERE relation = '_prisma_migrations'::regclass;",
    { cause },
  );
}

function namesOf(records: MigrationRecord[]): string {
  return records.map(({ name }) => name).join(', ');
}
