import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MigrationError } from '../src/migration-error.js';
import { checkName, writeMigration } from '../src/migration-files.js';
import { missingSql } from '../src/schema-drift.js';
import { migrationFolder } from './migration-folder.js';
import { emptyDatabase, query } from './test-database.js';

/** Writes a schema with a model `Toy` of these fields. Returns its path. */
async function schemaOf(...fields: string[]): Promise<string> {
  const path = join(await migrationFolder({}), 'schema.prisma');
  const models = `model Toy {\n  ${fields.join('\n  ')}\n}\nenum Kind {\n  a\n  c\n}\n`;
  await writeFile(path, `datasource db {\n  provider = "postgresql"\n}\n${models}`);
  return path;
}

describe('missingSql', () => {
  it('returns the SQL for a changed schema, without transactions', async () => {
    const { url } = await emptyDatabase();
    await query(url, `CREATE TYPE "Kind" AS ENUM ('a', 'b'); CREATE TABLE "Toy" (id serial PRIMARY KEY, kind "Kind")`);
    const changed = await schemaOf('id Int @id @default(autoincrement())', 'kind Kind?', 'tag String?');
    const sql = await missingSql(url, changed);
    expect(sql).toContain('ADD COLUMN     "tag" TEXT');
    expect(sql).toContain('CREATE TYPE "Kind_new"');
    expect(sql).not.toMatch(/BEGIN|COMMIT/);
    await query(url, sql ?? '');
    expect(await missingSql(url, changed)).toBeUndefined();
  });
});

describe('a new migration', () => {
  it('has the time in its name', async () => {
    const path = await writeMigration(await migrationFolder({}), 'add_weight', 'SELECT 1;\n');
    expect(path).toMatch(/\/20\d{12}_add_weight\/migration\.sql$/);
    expect(await readFile(path, 'utf8')).toBe('SELECT 1;\n');
  });

  it('can have a name that ends in -breaking', () => {
    expect(() => checkName('drop_weight-breaking')).not.toThrow();
  });

  it.each(['', 'a-breaking-b', 'Add', '1st', 'a-b', 'a b', '../a', 'a'.repeat(81)])('cannot be named %j', (name) => {
    expect(() => checkName(name)).toThrow(MigrationError);
  });
});
