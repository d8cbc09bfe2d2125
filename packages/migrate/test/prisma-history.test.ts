import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readMigrations } from '../src/migration-files.js';
import { missingSql, withSchemaEngine } from '../src/schema-drift.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, query } from './test-database.js';

const prisma = fileURLToPath(new URL('../../../prisma', import.meta.url));
const filters = { externalTables: [], externalEnums: [] };

/** A directory of migrations as Prisma's engine receives it. */
async function migrationsList(baseDir: string) {
  const files = await readMigrations(baseDir);
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: files.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
}

/** What Prisma's engine finds in the migration table. */
async function diagnose(url: string, directory: string) {
  const list = await migrationsList(directory);
  return withSchemaEngine(url, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList: list, optInToShadowDatabase: false, filters }),
  );
}

const upToDate = { editedMigrationNames: [], failedMigrationNames: [], hasMigrationsTable: true, history: null };

describe("Prisma's engine, after migrate", () => {
  it('finds the history of the service complete, and no drift from its schema', async () => {
    const { url } = await emptyDatabase();
    const directory = join(prisma, 'migrations');
    await migrateQuietly(url, directory);
    expect(await diagnose(url, directory)).toEqual(upToDate);
    expect(await missingSql(url, join(prisma, 'schema.prisma'))).toBeUndefined();
  });

  it('applies nothing more', async () => {
    const { url } = await emptyDatabase();
    const directory = join(prisma, 'migrations');
    await migrateQuietly(url, directory);
    const list = await migrationsList(directory);
    const { appliedMigrationNames } = await withSchemaEngine(url, (engine) =>
      engine.applyMigrations({ migrationsList: list, filters }),
    );
    expect(appliedMigrationNames).toEqual([]);
  });

  it('finds a migration without a transaction complete', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({
      '1_toy': 'CREATE TABLE toy (name text);',
      '2_index': '-- petstore: no transaction\nCREATE INDEX CONCURRENTLY toy_name ON toy (name);',
    });
    await migrateQuietly(url, folder);
    expect(await diagnose(url, folder)).toEqual(upToDate);
  });

  it('finds pending and edited migrations', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '1_a': 'CREATE TABLE a (id int);', '2_b': 'CREATE TABLE b ();' });
    await query(url, "UPDATE _prisma_migrations SET checksum = 'of another text'");
    expect(await diagnose(url, folder)).toMatchObject({
      editedMigrationNames: ['1_a'],
      history: { diagnostic: 'databaseIsBehind', unappliedMigrationNames: ['2_b'] },
    });
  });
});
