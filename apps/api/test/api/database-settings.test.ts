import { join } from 'node:path';
import { migrate } from '@petstore/migrate';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { restoreBackup } from '../../src/platform/database/backup/restore-backup.js';
import { writeBackup } from '../../src/platform/database/backup/write-backup.js';
import { migrationsDirectory } from '../../src/platform/database/open-database.js';
import { Api } from '../support/api.js';
import { textOf } from '../support/backups.js';
import { createFolder } from '../support/folder.js';
import { createEmptyDatabase, createTestDatabase, execute, type ScratchDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';
import { startOn, type TestApp } from '../support/test-app.js';

/** Each of them changes a meaning that the service relies on. */
const settings = {
  DateStyle: 'German, DMY',
  TimeZone: 'Asia/Kolkata',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  synchronous_commit: 'off',
  search_path: 'pg_catalog',
};

let database: ScratchDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => vi.unstubAllEnvs());

/** Connects to another database, where none of the settings is in force. */
const alter = (name: string, change: string) => execute(inject('serverUrl'), `ALTER DATABASE ${name} ${change}`);

async function setAll(name = database.name): Promise<void> {
  for (const [setting, value] of Object.entries(settings)) await alter(name, `SET ${setting} = '${value}'`);
}

/** Checks what the settings could change: times, the schema, and writes. */
async function expectCorrect({ app, api, keys, url, clock }: TestApp): Promise<void> {
  const now = new Date();
  const { key } = await keys.create('guest', ['read'], new Date(now.getTime() + 3_600_000));
  await app.get(ApiKeyRing).reload();
  const guest = new Api(url, key);
  expect((await guest.get('/v1/pets')).status).toBe(200);
  clock.time = new Date(now.getTime() + 3_600_001);
  expect((await guest.get('/v1/pets')).status).toBe(401);
  clock.time = undefined;
  const created = await api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  expect(created.status).toBe(201);
  expect((await api.get('/v1/pets?order=desc&limit=1')).json).toEqual([created.json]);
  const recent = `created_at > now() - interval '10 minutes' AND created_at <= now()`;
  expect(await execute(database.url, `SELECT FROM public.pet WHERE ${recent}`)).not.toEqual([]);
}

describe('settings of the database', () => {
  it('change nothing, also with those in PGOPTIONS and DATABASE_URL', async () => {
    await setAll();
    await expectCorrect(await startOn(database.url));
    const { search_path: schemas, ...others } = settings;
    const options = Object.entries(others).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
    vi.stubEnv('PGOPTIONS', [...options, `-c search_path=${schemas}`].join(' '));
    const url = new URL(database.url);
    url.searchParams.set('options', options.join(' '));
    expect(await startError(url.href)).toBe('');
    await expectCorrect(await startOn(url.href));
  });

  it('change neither a migration nor a backup nor a restore', async () => {
    await setAll();
    const service = await startOn(database.url);
    await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const other = await createEmptyDatabase();
    onTestFinished(() => other.drop());
    const backup = join(await createFolder(), 'petstore.backup.gz');
    await setAll(other.name);
    expect(await migrate(other.url, { directory: migrationsDirectory, log: () => undefined })).not.toEqual([]);
    await writeBackup(backup, database.url);
    expect(await textOf(backup)).toMatch(/\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\+00[\t\n]/);
    const restored = await restoreBackup(backup, other.url);
    expect(restored.get('pet')).toBe(1);
  });
});

it('a schema of an extension that DATABASE_URL adds is used in migrations', async () => {
  const other = await createEmptyDatabase();
  onTestFinished(() => other.drop());
  await execute(other.url, 'CREATE SCHEMA extensions; CREATE EXTENSION pg_trgm SCHEMA extensions');
  const url = new URL(other.url);
  url.searchParams.set('options', '-c search_path=public,extensions');
  expect(await startError(url.href)).toBe('');
});
