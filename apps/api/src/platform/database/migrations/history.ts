import type { DiagnoseMigrationHistoryOutput } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { DatabaseError } from 'pg';
import type pg from 'pg';
import { MigrationError } from './migration-error.js';
import type { MigrationFile } from './migration-files.js';

/** A migration as the database remembers it; those marked as rolled back are left out. */
export interface MigrationRecord {
  name: string;
  checksum: string;
  startedAt: Date;
  finished: boolean;
}

const undefinedTable = '42P01';

export async function readHistory(pool: pg.Pool): Promise<MigrationRecord[]> {
  try {
    const { rows } = await pool.query<MigrationRecord>(
      `SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    return rows;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedTable) return [];
    throw error;
  }
}

/** Whether the database holds exactly these migrations; where it does not, the engine judges. */
export function isUpToDate(history: MigrationRecord[], files: MigrationFile[]): boolean {
  const applied = new Map(history.filter(({ finished }) => finished).map(({ name, checksum }) => [name, checksum]));
  return history.length === files.length && files.every(({ name, checksum }) => applied.get(name) === checksum);
}

/** Names what is to be applied, in order. Throws a MigrationError where a person has to decide. */
export function pendingMigrations(diagnosis: DiagnoseMigrationHistoryOutput, history: MigrationRecord[]): string[] {
  const { editedMigrationNames: edited, failedMigrationNames: failed, history: difference } = diagnosis;
  if (difference && 'unpersistedMigrationNames' in difference)
    throw newerDatabase(difference.unpersistedMigrationNames);
  const [name] = failed;
  if (name !== undefined) throw failedEarlier(name, history.find((record) => record.name === name)?.startedAt);
  if (edited.length > 0) throw editedFiles(edited);
  return difference?.unappliedMigrationNames ?? [];
}

function newerDatabase(names: string[]): MigrationError {
  return new MigrationError(
    `The database is newer than this version of the service, which does not know its migrations ${names.join(', ')}. ` +
      'Start the version that made them, or a later one.',
  );
}

function failedEarlier(name: string, startedAt?: Date): MigrationError {
  return new MigrationError(
    `The migration ${name} failed earlier (started ${startedAt?.toISOString() ?? 'at an unknown time'}), and part of it may be in the ` +
      'database, so nothing more is applied. Undo by hand what is left of it, then mark it as rolled back with ' +
      `"npx prisma migrate resolve --rolled-back ${name}", or in SQL: ` +
      `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL;`,
  );
}

function editedFiles(names: string[]): MigrationError {
  const files = names.map((name) => `prisma/migrations/${name}/migration.sql`).join(', ');
  return new MigrationError(
    `${files} changed after it was applied to this database. Restore it as it was, and put the change into a migration ` +
      'of its own: npm run migration:new -- NAME.',
  );
}
