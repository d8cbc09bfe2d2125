import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { petLimits } from '@petstore/contracts';
import { migrate } from '@petstore/migrate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PetCounts } from '../../../src/features/pets/pet-counts.js';
import { migrationsDirectory } from '../../../src/platform/database/open-database.js';
import { PrismaService } from '../../../src/platform/database/prisma.service.js';
import { createEmptyDatabase, execute } from '../../support/scratch-database.js';

async function emptyDatabase() {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  return database;
}

const migrateQuietly = (url: string) => migrate(url, { directory: migrationsDirectory, log: () => undefined });

describe('the migrations of the service', () => {
  it('create all tables in an empty database', async () => {
    const { url } = await emptyDatabase();
    const entries = await readdir(migrationsDirectory, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(await migrateQuietly(url)).toEqual(names.toSorted());
    const tables = await execute(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(tables.map(({ tablename }) => tablename)).toEqual(
      expect.arrayContaining(['_prisma_migrations', 'api_key', 'idempotency_record', 'pet']),
    );
  });

  it('limit the length of names to that of the contracts', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url);
    const add = (length: number) =>
      execute(url, `INSERT INTO pet (name, category_id) VALUES (repeat('🐶', ${length}), 1)`);
    await add(petLimits.nameMaxLength);
    await expect(add(petLimits.nameMaxLength + 1)).rejects.toThrow('violates check constraint "pet_name_length"');
    await expect(add(0)).rejects.toThrow('violates check constraint "pet_name_length"');
    const [constraint] = await execute(url, `SELECT convalidated FROM pg_constraint WHERE conname = 'pet_name_length'`);
    expect(constraint).toEqual({ convalidated: true });
  });

  it('accept a database with a longer name, and check new names', async () => {
    const { url } = await emptyDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'petstore-migrations-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const init = '20261122000000_init';
    await cp(join(migrationsDirectory, init), join(folder, init), { recursive: true });
    await migrate(url, { directory: folder, log: () => undefined });
    const add = () => execute(url, `INSERT INTO pet (name, category_id) VALUES (repeat('x', 201), 1)`);
    await add();
    await migrateQuietly(url);
    await expect(add()).rejects.toThrow('violates check constraint "pet_name_length"');
  });

  it('need no superuser, only the owner of the database', async () => {
    const { name, url } = await emptyDatabase();
    await execute(url, `CREATE ROLE ${name}`);
    onTestFinished(async () => {
      await execute(url, `REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name}; DROP ROLE ${name}`);
    });
    await execute(url, `ALTER DATABASE ${name} OWNER TO ${name}`);
    const owner = new URL(url);
    owner.searchParams.set('options', `-c role=${name}`);
    const role = await execute(owner.href, `SELECT current_user AS name, current_setting('is_superuser') AS super`);
    expect(role).toEqual([{ name, super: 'off' }]);
    await migrateQuietly(owner.href);
    const prisma = new PrismaService({ url: owner.href, max: 1, statementTimeoutMs: 5000 });
    await prisma.$executeRaw`INSERT INTO pet (name, category_id) VALUES ('Rex', 7)`;
    await new PetCounts(prisma).merge();
    await prisma.close();
    expect(await execute(url, 'SELECT pets::int FROM pet_count')).toEqual([{ pets: 1 }]);
  });
});
