import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from './migration-error.js';
import { readMigrations } from './migration-files.js';

/** Throws a MigrationError unless `name` is fit for the name of a migration. */
export function checkName(name: string): void {
  if (/^[a-z][a-z0-9_]{0,79}$/.test(name)) return;
  throw new MigrationError(
    `${JSON.stringify(name)} cannot name a migration: allowed are 1 to 80 lower-case letters, digits and underscores that begin ` +
      'with a letter, such as add_weight.',
  );
}

/** Writes a migration that comes after all others, and names its file. */
export async function writeMigration(directory: string, name: string, sql: string): Promise<string> {
  const newest = (await readMigrations(directory)).at(-1)?.name;
  const folder = join(directory, `${timestampAfter(newest, new Date())}_${name}`);
  await mkdir(folder);
  const path = join(folder, 'migration.sql');
  await writeFile(path, sql);
  return path;
}

/** The time in UTC as Prisma writes it, `20261120093000`; later than the newest migration whatever the clock says. */
export function timestampAfter(newest: string | undefined, now: Date): string {
  const time = now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const last = newest?.slice(0, 14) ?? '';
  return time > last ? time : String(BigInt(last) + 1n);
}
