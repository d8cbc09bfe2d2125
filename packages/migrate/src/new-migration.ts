import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from './migration-error.js';
import { readMigrations } from './migration-files.js';

/** @throws MigrationError when `name` is not allowed as the name of a migration. */
export function checkName(name: string): void {
  if (/^[a-z][a-z0-9_]{0,79}$/.test(name)) return;
  throw new MigrationError(
    `${JSON.stringify(name)} is not a valid migration name. Use 1 to 80 lower-case letters, digits and underscores, ` +
      'starting with a letter, such as add_pet_weight.',
  );
}

/** Writes a migration that is ordered after all others. Returns the path of its file. */
export async function writeMigration(directory: string, name: string, sql: string): Promise<string> {
  const newest = (await readMigrations(directory)).at(-1)?.name;
  const folder = join(directory, `${timestampAfter(newest, new Date())}_${name}`);
  await mkdir(folder);
  const path = join(folder, 'migration.sql');
  await writeFile(path, sql);
  return path;
}

/** The time in UTC in Prisma's format, `20261120093000`. Later than the newest migration even if the clock is behind. */
export function timestampAfter(newest: string | undefined, now: Date): string {
  const time = now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const last = newest?.slice(0, 14) ?? '';
  return time > last ? time : String(BigInt(last) + 1n);
}
