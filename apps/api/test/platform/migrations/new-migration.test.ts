import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { MigrationError } from '../../../src/platform/database/migrations/migration-error.js';
import { migrationsDirectory, prismaDirectory } from '../../../src/platform/database/migrations/migration-files.js';
import { checkName, timestampAfter, writeMigration } from '../../../src/platform/database/migrations/new-migration.js';
import { missingSql } from '../../../src/platform/database/migrations/schema-drift.js';
import { withScratchDatabase } from '../../../src/platform/database/migrations/scratch-server.js';
import { migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, query } from './test-database.js';

const schemaPath = join(prismaDirectory, 'schema.prisma');

describe('missingSql', () => {
  it('finds nothing between the migrations of the repository and its schema', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, migrationsDirectory);
    expect(await missingSql(url, schemaPath)).toBeUndefined();
  });

  it('gives the SQL of a changed schema, without transactions, and it is what was missing', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, migrationsDirectory);
    const changed = join(await migrationFolder({}), 'schema.prisma');
    const schema = await readFile(schemaPath, 'utf8');
    await writeFile(
      changed,
      schema.replace(/^ {2}pending$/m, '  reserved').replaceAll('  categoryId ', '  tag String?\n  categoryId '),
    );
    const sql = await missingSql(url, changed);
    expect(sql).toContain('ADD COLUMN     "tag" TEXT');
    expect(sql).toContain('CREATE TYPE "PetStatus_new"');
    expect(sql).not.toMatch(/BEGIN|COMMIT/);
    await query(url, sql ?? '');
    expect(await missingSql(url, changed)).toBeUndefined();
  });

  it('says what is wrong with a schema that cannot be read', async () => {
    const { url } = await emptyDatabase();
    const broken = join(await migrationFolder({}), 'schema.prisma');
    await writeFile(broken, 'model Pet { id Nonsense @id }');
    await expect(missingSql(url, broken)).rejects.toThrow(/schema\.prisma: .*Nonsense/s);
  });
});

describe('a new migration', () => {
  it('comes after all others', async () => {
    const folder = await migrationFolder({ '20260101000000_a': '' });
    const path = await writeMigration(folder, 'add_weight', 'SELECT 1;\n');
    expect(path).toMatch(/\/20\d{12}_add_weight\/migration\.sql$/);
    expect(await readFile(path, 'utf8')).toBe('SELECT 1;\n');
  });

  it('has the time in UTC in its name, or a later one where the clock is behind', () => {
    const now = new Date('2027-03-04T05:06:07.890Z');
    expect(timestampAfter(undefined, now)).toBe('20270304050607');
    expect(timestampAfter('20261120000000_init', now)).toBe('20270304050607');
    expect(timestampAfter('20280101000000_later', now)).toBe('20280101000001');
  });

  it.each(['', 'Add', '1st', 'a-b', 'a b', '../a', 'a'.repeat(81)])('is not named %j', (name) => {
    expect(() => checkName(name)).toThrow(MigrationError);
  });
});

describe('withScratchDatabase', () => {
  it('gives an empty database and drops it, whatever happens', async () => {
    const names: unknown[] = [];
    const failing = withScratchDatabase(inject('serverUrl'), async (url) => {
      names.push(...(await query(url, 'SELECT current_database() AS name')).map(({ name }) => name));
      throw new Error('over');
    });
    await expect(failing).rejects.toThrow('over');
    expect(names).toEqual([expect.stringMatching(/^petstore_scratch_/)]);
    expect(await query(inject('serverUrl'), `SELECT 1 FROM pg_database WHERE datname = '${String(names[0])}'`)).toEqual(
      [],
    );
  });

  it.each(['nonsense', 'http://localhost', 'postgresql://[/'])('refuses the URL %s', async (url) => {
    await expect(withScratchDatabase(url, () => Promise.resolve())).rejects.toThrow(
      /^TEST_DATABASE_URL is not one of PostgreSQL/,
    );
  });
});
