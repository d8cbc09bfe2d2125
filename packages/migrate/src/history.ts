import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { MigrationError } from './migration-error.js';
import { breaking, type MigrationFile } from './migration-files.js';

/** An applied migration in Prisma's table. */
export interface MigrationRecord {
  name: string;
  checksum: string;
}

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';

/**
 * The applied migrations of a database. Empty without Prisma's table.
 * @throws MigrationError if the role cannot read the table.
 */
export async function readHistory(client: Client): Promise<MigrationRecord[]> {
  try {
    const { rows } = await client.query<MigrationRecord>(
      'SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    return rows;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefinedTable) return [];
    if (code !== insufficientPrivilege) throw error;
    throw new MigrationError(
      'The database role may not read the table _prisma_migrations. Run GRANT SELECT ON _prisma_migrations TO this role, or ' +
        'connect as the owner of the tables. See docs/install.md, "A role for the service".',
      { cause: error },
    );
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

/** Records that a migration was applied. Creates the table if needed. */
export async function record(client: Client, { name, checksum }: MigrationFile): Promise<void> {
  await client.query(createTable);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/** Rejects the database of another application, which has tables. Those of extensions do not count. */
export async function rejectForeign(client: Client): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    `SELECT current_database() AS database FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
       AND to_regclass('_prisma_migrations') IS NULL
       AND oid NOT IN (SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e') LIMIT 1`,
  );
  if (!rows[0]) return;
  throw new MigrationError(
    `The database "${rows[0].database}" has tables, but no record of this service's migrations, so nothing was changed. ` +
      'Set DATABASE_URL to an empty database.',
  );
}

/** A release never edits or removes the migrations of an earlier one. */
const noUpgrade =
  'Nothing was changed. Databases of development versions cannot be upgraded: use the version that created it, or set ' +
  'DATA_DIR to a new directory or DATABASE_URL to an empty database.';

/** How a database differs from this version. */
export interface HistoryComparison {
  /** The migrations that the database lacks. */
  pending: MigrationFile[];
  /** Names a newer version whose migrations this version can run on. `undefined` if the database has no such migration. */
  warning?: string;
}

/**
 * Compares the migrations of a database with those of this version. A newer version may have added others. This version
 * runs on them unless the name of one ends in `-breaking`.
 * @throws MigrationError when the database is that of another program or of a development version, or has a migration that
 * breaks this version.
 */
export function compare(history: MigrationRecord[], files: MigrationFile[]): HistoryComparison {
  const applied = new Map(history.map(({ name, checksum }) => [name, checksum]));
  const pending = files.filter(({ name }) => !applied.has(name));
  if (history.length > 0 && pending.length === files.length) {
    throw new MigrationError(
      `A development version of Petstore or another program created the database: it has the migrations ${namesOf(history)}, ` +
        `which this version does not know. ${noUpgrade}`,
    );
  }
  const edited = files.filter(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
  if (edited.length > 0) {
    throw new MigrationError(
      `A development version of Petstore created the database: its migrations ${namesOf(edited)} differ from those of this ` +
        `version. ${noUpgrade} If you edited a migration, put the change into a new one instead.`,
    );
  }
  const unknown = history.filter(({ name }) => !files.some((file) => file.name === name));
  if (unknown.length === 0) return { pending };
  const newer = `The database is newer than this version of the service, which does not know the migrations ${namesOf(unknown)}.`;
  if (pending.length > 0 || unknown.some(({ name }) => name.endsWith(breaking))) {
    throw new MigrationError(`${newer} Use the version that applied them, or a later one.`);
  }
  return { pending, warning: `${newer} They do not break this version. Upgrade it when you can.` };
}

/** The names of migrations, for a message. */
export function namesOf(migrations: readonly { name: string }[]): string {
  return migrations.map(({ name }) => name).join(', ');
}
