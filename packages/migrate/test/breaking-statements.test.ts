import { describe, expect, it } from 'vitest';
import { breakingStatements, breakingWarnings } from '../src/breaking-statements.js';
import { migrationFolder } from './migration-folder.js';

describe('a statement that can break the previous version', () => {
  it.each([
    'DROP TABLE "toy"',
    'ALTER TABLE "toy" DROP COLUMN "name"',
    'ALTER TABLE "toy" ALTER COLUMN "name" DROP DEFAULT',
    'DROP TRIGGER count ON toy',
    'ALTER TABLE "toy" RENAME COLUMN "name" TO "title"',
    'ALTER TYPE "Kind_new" RENAME TO "Kind"',
    'ALTER TABLE "toy" ALTER COLUMN "name" SET NOT NULL',
    'ALTER TABLE "toy" ADD COLUMN     "weight" INTEGER NOT NULL',
    'ALTER TABLE "toy" ADD COLUMN "a" INTEGER NOT NULL DEFAULT 1, ADD COLUMN "b" INTEGER NOT NULL',
    'ALTER TABLE toy ADD weight integer NOT NULL',
    'ALTER TABLE toy ADD CONSTRAINT positive CHECK (weight > 0) NOT VALID',
    'ALTER TABLE toy ADD CHECK (weight > 0)',
    'ALTER TABLE toy ADD CONSTRAINT one_name UNIQUE (name)',
    'CREATE UNIQUE INDEX "toy_name_key" ON "toy"("name")',
    'ALTER TABLE "toy" ADD CONSTRAINT "toy_pet_id_fkey" FOREIGN KEY ("pet_id") REFERENCES "pet"("id")',
    'alter table toy add column pet_id bigint references pet',
    `ALTER TYPE "Kind" ADD VALUE 'puzzle'`,
    'ALTER TABLE "toy" ALTER COLUMN "name" SET DATA TYPE VARCHAR(20)',
    'ALTER TABLE toy ALTER name TYPE varchar(20)',
  ])('%s', (sql) => {
    expect(breakingStatements(`-- AlterTable\n${sql};\n`)).toHaveLength(1);
  });
});

describe('a statement that cannot', () => {
  it.each([
    'ALTER TABLE "toy" ADD COLUMN "weight" INTEGER',
    `ALTER TABLE "toy" ADD COLUMN "kind" "Kind" NOT NULL DEFAULT 'a'`,
    'ALTER TABLE toy ADD COLUMN a numeric(4, 1), ADD COLUMN b integer NOT NULL DEFAULT 1',
    'CREATE TABLE box (name text NOT NULL UNIQUE CHECK (name <> $$;$$))',
    'CREATE TABLE "box" (id int); ALTER TABLE "box" ADD CONSTRAINT box_fkey FOREIGN KEY (id) REFERENCES toy (id)',
    'CREATE TABLE box (id int); CREATE UNIQUE INDEX box_id ON box (id); ALTER TABLE box ALTER COLUMN id SET NOT NULL',
    'CREATE INDEX toy_name ON toy (name)',
    'DROP INDEX toy_name',
    'ALTER TABLE toy VALIDATE CONSTRAINT positive',
    '-- DROP TABLE toy;\nSELECT 1',
    "INSERT INTO toy (name) VALUES ('DROP TABLE; it''s RENAME')",
    'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE x; END $$',
    'CREATE TYPE "Type" AS ENUM (\'a\')',
  ])('%s', (sql) => {
    expect(breakingStatements(`${sql};`)).toEqual([]);
  });
});

describe('the warnings about migrations', () => {
  const init = { '1_init': 'CREATE TABLE toy (name text); ALTER TABLE other DROP COLUMN name;' };

  it('name the migration and the statement', async () => {
    const folder = await migrationFolder({ ...init, '2_drop': 'ALTER TABLE toy\n  DROP COLUMN name;' });
    const [warning = '', ...others] = await breakingWarnings(folder);
    expect(warning).toMatch(/^The migration 2_drop may break the previous version/);
    expect(warning).toContain('\n  ALTER TABLE toy DROP COLUMN name\n');
    expect(others).toEqual([]);
  });

  it('do not concern the first migration, one named so, and one that states why it is compatible', async () => {
    const folder = await migrationFolder({
      ...init,
      '2_drop-breaking': 'ALTER TABLE toy DROP COLUMN name;',
      '3_check': '-- petstore: compatible: every version checks it too.\nALTER TABLE toy ADD CHECK (true);',
    });
    expect(await breakingWarnings(folder)).toEqual([]);
  });

  it('need a reason', async () => {
    const folder = await migrationFolder({ ...init, '2_drop': '-- petstore: compatible: \nDROP TABLE toy;' });
    expect(await breakingWarnings(folder)).toHaveLength(1);
  });
});
