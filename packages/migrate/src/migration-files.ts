import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { MigrationError, reason } from './migration-error.js';

export interface MigrationFile {
  /** The directory, such as `20261120000000_init`. Migrations are applied in the order of their names. */
  name: string;
  sql: string;
  /** SHA-256 in hexadecimal, as Prisma records it. */
  checksum: string;
  /** `false` when the first line is `-- petstore: no transaction`. The file then holds exactly one statement. */
  isTransactional: boolean;
}

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

/** Converts migrations to the format of the schema engine. */
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
