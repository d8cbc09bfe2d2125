import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError, reason } from './migration-error.js';

/** A migration of this version. */
export interface MigrationFile {
  /** The directory, such as `20261120000000_init`. Migrations are applied in the order of their names. */
  name: string;
  sql: string;
  /** SHA-256 in hexadecimal, as Prisma records it. */
  checksum: string;
  /** `false` when the first line is `-- petstore: no transaction`. The file then holds exactly one statement. */
  isTransactional: boolean;
}

/** Ends the name of a migration on whose schema the previous version cannot run. */
export const breaking = '-breaking';

/** Reads the migrations in the order in which they are applied. */
export async function readMigrations(directory: string): Promise<MigrationFile[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    return await Promise.all(names.toSorted().map((name) => readMigration(directory, name)));
  } catch (error) {
    const message = `Cannot read the migrations in ${directory}: ${reason(error)} Restore the directory from the repository.`;
    throw new MigrationError(message, { cause: error });
  }
}

async function readMigration(directory: string, name: string): Promise<MigrationFile> {
  // Git may check files out with other line endings, which must not change the checksum.
  const sql = (await readFile(join(directory, name, 'migration.sql'), 'utf8')).replaceAll('\r\n', '\n');
  const isTransactional = !/^-- petstore: no transaction *(\n|$)/.test(sql);
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), isTransactional };
}

/** @throws MigrationError when `name` is not allowed as the name of a migration. */
export function checkName(name: string): void {
  if (/^[a-z][a-z0-9_]{0,79}(-breaking)?$/.test(name)) return;
  throw new MigrationError(
    `${JSON.stringify(name)} is not a valid migration name. Use 1 to 80 lower-case letters, digits and underscores, ` +
      `starting with a letter, such as add_pet_weight. End it in ${breaking} if the previous version cannot run on its schema.`,
  );
}

/** Writes a migration, named after the time in UTC as Prisma does. Returns the path of its file. */
export async function writeMigration(directory: string, name: string, sql: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = join(directory, `${time}_${name}`);
  await mkdir(folder);
  const path = join(folder, 'migration.sql');
  await writeFile(path, sql);
  return path;
}
