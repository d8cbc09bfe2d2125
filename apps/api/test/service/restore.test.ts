import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { restoreBackup } from '../../src/platform/database/backup/restore-backup.js';
import { writeBackup } from '../../src/platform/database/backup/write-backup.js';
import { Api } from '../support/api.js';
import { type Change, changedCopy, flipped } from '../support/backups.js';
import { useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { createTestDatabase, execute, useDatabase } from '../support/scratch-database.js';

/**
 * Ten animals with 11 as the last id, two keys and an idempotency record. From 1.0.0 on, never change it: each later version must
 * restore it.
 */
const formatOne = join(import.meta.dirname, 'backups/format-1.backup.gz');

const everyPet = 'SELECT id::text, category_id::text, name, status, created_at FROM pet ORDER BY id';
const everyRow = [everyPet, 'TABLE api_key ORDER BY id', 'TABLE idempotency_record'];
const rowsOf = (url: string) => Promise.all(everyRow.map((query) => execute(url, query)));

const runRestore = (url: string, path: string) => runProgram('manage.js', ['restore', path], { DATABASE_URL: url });
/** Restores in this process: the program takes a second to start. */
const restore = (url: string, path: string) => restoreBackup(path, url);

const damaged = /is not a backup in the format "petstore backup 1", or it is damaged\. Use another backup/;

function replaced(from: string | RegExp, to: string): Change {
  return (text) => text.replace(from, to);
}

const folder = useFolder();
const source = useDatabase();
const target = useDatabase();
let backup: string;
let key: string;

beforeAll(async () => {
  backup = join(folder.path, 'petstore.backup.gz');
  await restore(source.url, formatOne);
  const create = ['keys', 'create', '--name', 'front desk', '--scopes', 'read,write', '--json'];
  const created = await runProgram('manage.js', create, { DATABASE_URL: source.url });
  ({ key } = JSON.parse(created.stdout) as { key: string });
  await writeBackup(backup, source.url);
});

describe('npm run restore', () => {
  it('restores every row, the keys and the next id into a database that a service uses', async () => {
    const service = (await TestService.prepare()).with({ DATABASE_URL: target.url });
    await service.start();
    const stdout = expect.stringMatching(/^pet 10\napi_key 3\nidempotency_record 1\nRestored/) as string;
    expect(await runRestore(target.url, backup)).toMatchObject({ code: 0, stdout });
    expect(await rowsOf(target.url)).toEqual(await rowsOf(source.url));

    const api = new Api(service.url, key);
    await expect.poll(async () => (await api.get('/v1/pets')).status).toBe(200);
    const counted = await api.get('/v1/pets', { prefer: 'count=exact' });
    expect(counted.headers.get('x-total-count')).toBe('10');
    expect(await addPet(api)).toMatchObject({ id: 12n });
    await service.remove();
  });

  it('rejects a database that has animals, and changes nothing', async () => {
    const before = await rowsOf(target.url);
    const stderr = expect.stringMatching(/^The database is not empty/) as string;
    expect(await runRestore(target.url, backup)).toMatchObject({ code: 1, stderr });
    expect(await rowsOf(target.url)).toEqual(before);
  });

  it.each<[string, Change, RegExp]>([
    ['a checksum that was changed', (_, file) => flipped(file, -8), damaged],
    ['a missing end of its text', (text) => text.slice(0, -20), damaged],
    ['a file that is not compressed', () => Buffer.from('Chapter 1'), damaged],
    ['another format', replaced('backup 1', 'backup 2'), damaged],
    ['the schema of a newer version', replaced('"migrations":[', '$&"9_next",'), /^A newer version .* 9_next\./],
    ['unknown migrations', replaced(/"migrations":\[.+?\]/, '"migrations":["0_old"]'), /^A development .* 0_old\./],
    ['further text', (text) => text + '0'.repeat(64), /^A development .*: more text follows its tables\. Restore/],
    ['an unknown column', replaced('"category_id"', '"kind"'), /"kind" .* does not exist\. .* Restore it with that/],
    ['an unknown status', replaced(/\tsold/, '\tgone'), /^The restore of .* failed: invalid input value for enum/],
  ])('restores nothing from a backup with %s', async (_, change, problem) => {
    const { url } = await createTestDatabase();
    await execute(url, `INSERT INTO api_key (name, hash, scopes) VALUES ('kept', '\\x01', '{read}')`);
    await expect(restore(url, await changedCopy(backup, change))).rejects.toThrow(problem);
    expect(await execute(url, everyPet)).toEqual([]);
    expect(await execute(url, 'SELECT name FROM api_key')).toEqual([{ name: 'kept' }]);
  });

  it.each<[string, Change]>([
    ['a missing end', (_, file) => file.subarray(0, -9)],
    ['a byte that was changed near its end', (_, file) => flipped(file, -100)],
  ])('undoes what it restored from a large backup with %s', async (_, change) => {
    const [large, { url }] = [await createTestDatabase(), await createTestDatabase()];
    const rows = 'SELECT md5(id::text), id FROM generate_series(1, 30000) AS id';
    await execute(large.url, `INSERT INTO pet (name, category_id) ${rows}`);
    const file = join(folder.path, 'large.backup.gz');
    await rm(file, { force: true });
    await writeBackup(file, large.url);
    await expect(restore(url, await changedCopy(file, change))).rejects.toThrow(/damaged/);
    expect(await execute(url, everyPet)).toEqual([]);
  });

  it('says that a key that was revoked since then is valid again, and how to see and revoke it', async () => {
    const { url } = await createTestDatabase();
    await runProgram('manage.js', ['keys', 'revoke', '3'], { DATABASE_URL: source.url });
    const { stdout } = await runRestore(url, backup);
    expect(stdout).toMatch(
      / revoked since then is valid again\.\n.*npm run keys -- list\n.*npm run keys -- revoke ID\n$/,
    );
    const keys = await runProgram('manage.js', ['keys', 'list'], { DATABASE_URL: url });
    expect(keys.stdout).toMatch(/^3 +front desk +read,write +valid /m);
  });
});

it('a backup of format 1 is restored by this version with the exact bytes, and gives new columns their default', async () => {
  const { url } = await createTestDatabase();
  await execute(url, `ALTER TABLE pet ADD COLUMN newer_column text NOT NULL DEFAULT 'none'`);
  await restore(url, formatOne);
  const pets = await execute(url, everyPet);
  expect(pets).toHaveLength(10);
  expect(pets).toContainEqual({
    id: '2',
    category_id: '9223372036854775807',
    name: 'Zoë 🐶',
    status: 'pending',
    created_at: new Date('2026-11-21T10:01:00.123Z'),
  });
  const names = [
    'tab\tnewline\nreturn\rbackslash\\',
    String.raw`\.`,
    String.raw`\N`,
    ' spaces around ',
    '🐶'.repeat(200),
  ];
  expect(pets.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  // The column that PostgreSQL computes is not in a backup.
  expect(
    await execute(url, `SELECT FROM pet WHERE search_name = fold_name(name) AND newer_column = 'none'`),
  ).toHaveLength(10);
  expect(await execute(url, 'SELECT name, scopes::text, revoked_at IS NULL AS valid FROM api_key ORDER BY id')).toEqual(
    [
      { name: 'till', scopes: '{read,write}', valid: true },
      { name: 'old', scopes: '{read}', valid: false },
    ],
  );
});

const partitionPets = `
  ALTER TABLE idempotency_record DROP CONSTRAINT idempotency_record_pet_id_fkey;
  ALTER TABLE pet RENAME TO unpartitioned;
  CREATE TABLE pet (LIKE unpartitioned INCLUDING ALL) PARTITION BY RANGE (id);
  ALTER SEQUENCE pet_id_seq OWNED BY pet.id;
  DROP TABLE unpartitioned;
  CREATE TABLE pet_1 PARTITION OF pet FOR VALUES FROM (MINVALUE) TO (5);
  CREATE TABLE pet_2 PARTITION OF pet FOR VALUES FROM (5) TO (MAXVALUE);
  ALTER TABLE idempotency_record ADD FOREIGN KEY (pet_id) REFERENCES pet (id)`;

it('a table of animals that is partitioned by id is restored from a backup, and backed up', async () => {
  const [partitioned, ordinary] = [await createTestDatabase(), await createTestDatabase()];
  await execute(partitioned.url, partitionPets);
  await restore(partitioned.url, backup);
  const file = join(folder.path, 'partitioned.backup.gz');
  await writeBackup(file, partitioned.url);
  await restore(ordinary.url, file);
  for (const { url } of [partitioned, ordinary]) {
    expect(await execute(url, everyPet)).toEqual(await execute(source.url, everyPet));
  }
});
