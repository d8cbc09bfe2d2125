import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readMigrations } from '../src/migration-files.js';
import { missingSql, withSchemaEngine } from '../src/schema-drift.js';
import { emptyDatabase, migrateQuietly } from './test-database.js';

const prisma = fileURLToPath(new URL('../../../prisma', import.meta.url));
it("Prisma's engine, after migrate, finds the history of the service complete, and no drift from its schema", async () => {
  const { url } = await emptyDatabase();
  const directory = join(prisma, 'migrations');
  await migrateQuietly(url, directory);
  const files = await readMigrations(directory);
  const migrationsList = {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: files.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
  const filters = { externalTables: [], externalEnums: [] };
  const diagnosis = await withSchemaEngine(url, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters }),
  );
  expect(diagnosis).toEqual({
    editedMigrationNames: [],
    failedMigrationNames: [],
    hasMigrationsTable: true,
    history: null,
  });
  expect(await missingSql(url, join(prisma, 'schema.prisma'))).toBeUndefined();
});
