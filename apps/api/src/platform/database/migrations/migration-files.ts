import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { packageFolder } from '../../process/package-folder.js';
import { MigrationError, reason } from './migration-error.js';

/** `prisma/` of the repository. */
export const prismaDirectory = join(packageFolder, '../../prisma');
export const migrationsDirectory = join(prismaDirectory, 'migrations');

export interface MigrationFile {
  /** Of its folder, such as `20261120000000_init`: migrations are applied in the order of their names. */
  name: string;
  sql: string;
  /** SHA-256 in hexadecimal, as Prisma records it. */
  checksum: string;
}

/** Reads the migrations in the order in which they are applied. */
export async function readMigrations(directory: string): Promise<MigrationFile[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    return await Promise.all(names.toSorted().map((name) => readMigration(directory, name)));
  } catch (error) {
    throw new MigrationError(
      `The migrations in ${directory} cannot be read: ${reason(error)} Restore the folder as it is in the repository.`,
      { cause: error },
    );
  }
}

async function readMigration(directory: string, name: string): Promise<MigrationFile> {
  const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** The same in the form the schema engine takes. */
export function toMigrationList(directory: string, files: MigrationFile[]): MigrationList {
  return {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: files.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
