import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { backupPlan } from '../../src/database-content.js';
import { restoreBackup } from '../../src/platform/database/backup/restore-backup.js';
import { Api } from '../support/api.js';
import { changedCopy } from '../support/backups.js';
import { useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { createTestDatabase, execute, useDatabase } from '../support/scratch-database.js';

const names = ['Rex', 'Tab\tand\nline', String.raw`\.`, String.raw`\N`, '“Ünï\u2028cödé” 🐈', "'; DROP TABLE pet; --"];
const everyPet = 'SELECT id::text, category_id::text, name, status, created_at FROM pet ORDER BY id';

const folder = useFolder();
let backup: string;
const source = useDatabase();
const target = useDatabase();
let key: string;

beforeAll(async () => {
  backup = join(folder.path, 'petstore.backup.gz');
  const variables = { DATABASE_URL: source.url };
  const created = await runProgram(
    'manage.js',
    ['keys', 'create', '--name', 'till', '--scopes', 'read,write', '--json'],
    variables,
  );
  ({ key } = JSON.parse(created.stdout) as { key: string });
  for (const name of [...names, 'Deleted later']) {
    const value = `E'${[...name].map((char) => `\\U${char.codePointAt(0)?.toString(16).padStart(8, '0')}`).join('')}'`;
    await execute(
      source.url,
      `INSERT INTO pet (name, category_id, status) VALUES (${value}, 9223372036854775807, 'sold')`,
    );
  }
  await execute(source.url, `DELETE FROM pet WHERE name = 'Deleted later'`);
  await execute(source.url, `INSERT INTO idempotency_record SELECT 1, 'order-1', '\\x00ff', id FROM pet LIMIT 1`);
  expect(await runProgram('manage.js', ['backup', backup], variables)).toMatchObject({ code: 0 });
});

const tablesOfPets = /^{"table":"(pet|idempotency_record)".*?^{"rows.*?\n/gms;
const runRestore = (url: string, path = backup) => runProgram('manage.js', ['restore', path], { DATABASE_URL: url });
/** Restores in this process: the program takes a second to start. */
const restore = (url: string, path: string) => restoreBackup(path, { url, plan: backupPlan, log: () => undefined });

describe('npm run restore', () => {
  it('restores every row, the totals, the keys and the next id into a database that a service uses', async () => {
    const service = (await TestService.prepare()).with({ DATABASE_URL: target.url });
    await service.start();
    const { code, stderr, stdout } = await runRestore(target.url);
    expect([code, stderr, stdout]).toEqual([0, expect.anything(), expect.stringContaining(`pet ${names.length}\n`)]);
    for (const query of [everyPet, 'TABLE api_key', 'TABLE idempotency_record']) {
      expect(await execute(target.url, query)).toEqual(await execute(source.url, query));
    }

    const api = new Api(service.url, key);
    await expect.poll(async () => (await api.get('/v1/pets')).status).toBe(200);
    const counted = await api.get('/v1/pets?status=sold', { prefer: 'count=exact' });
    expect(counted.headers.get('x-total-count')).toBe(String(names.length));
    expect(await addPet(api)).toMatchObject({ id: BigInt(names.length + 2) });
    await service.remove();
  });

  it('rejects a database that has animals, and changes nothing', async () => {
    const before = await execute(target.url, everyPet);
    const { code, stderr } = await runRestore(target.url);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database is not empty/)]);
    expect(await execute(target.url, everyPet)).toEqual(before);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['a changed row', (text) => text.replace('Rex', 'Max'), /is damaged: the checksum of pet is wrong/],
    ['a status that does not exist', (text) => text.replace(/\tsold/, '\tavai?able'), /rejects a row of pet: .* enum/],
    ['a number with a letter', (text) => text.replace(/^1\t/m, '1x\t'), /rejects a row of pet: invalid input syntax/],
    [
      'a foreign line',
      (text) => text.replace(/^1\t/m, 'foreign\n1\t'),
      /is damaged: PostgreSQL rejects a row of pet: /,
    ],
    ['a missing end', (text) => text.slice(0, -20), /is damaged: it is incomplete/],
    ['more after its end', (text) => `${text}{}\n`, /is damaged: it continues after its end/],
    [
      'a table twice',
      (text) => text.replace(/^{"table":"idempotency_record".*?^{"rows.*?\n/ms, '$&$&'),
      /it contains the table idempotency_record twice/,
    ],
    ['no table pet', (text) => text.replaceAll(tablesOfPets, ''), /it lacks the table .*pet/],
    [
      'the schema of a newer version',
      (text) => text.replace('"migrations":[', '"migrations":["99999999999999_next",'),
      /^A newer version .* 99999999999999_next\./,
    ],
    ['another format', (text) => text.replace('backup 1', 'backup 2'), /has the format "petstore backup 2", not/],
    ['the text of a book', () => 'Chapter 1\n', /is not a backup of this service/],
  ])('restores nothing from a backup with %s', async (_, change, problem) => {
    const { url } = await createTestDatabase();
    await execute(url, `INSERT INTO api_key (name, hash, scopes) VALUES ('kept', '\\x01', '{read}')`);
    await expect(restore(url, await changedCopy(backup, change))).rejects.toThrow(problem);
    expect(await execute(url, everyPet)).toEqual([]);
    expect(await execute(url, 'SELECT name FROM api_key')).toEqual([{ name: 'kept' }]);
  });

  it('rejects a file that is not compressed, and one that does not exist', async () => {
    const other = join(folder.path, 'other.txt');
    await writeFile(other, 'Chapter 1');
    await expect(restore(target.url, other)).rejects.toThrow('other.txt is not a backup of this service');
    expect((await runRestore(target.url, '/missing')).stderr).toMatch(/^Reading \/missing failed: ENOENT/);
  });

  it('gives new columns their default when the backup has an older schema', async () => {
    const { url } = await createTestDatabase();
    await execute(url, `ALTER TABLE pet ADD COLUMN tag text NOT NULL DEFAULT 'none'`);
    await restore(url, backup);
    expect(await execute(url, 'SELECT DISTINCT tag FROM pet')).toEqual([{ tag: 'none' }]);
  });
});

it('npm run restore lists the keys that are valid again, also one that was revoked since, and says how to revoke it', async () => {
  const [shop, copy] = [await createTestDatabase(), await createTestDatabase()];
  await execute(
    shop.url,
    `INSERT INTO api_key (name, hash, scopes, expires_at, revoked_at) VALUES
       ('till', '\\x01', '{read}', NULL, NULL), ('lost tablet', '\\x02', '{read,write}', '2999-01-01', NULL),
       ('expired', '\\x03', '{read}', '2020-01-01', NULL), ('revoked before', '\\x04', '{read}', NULL, '2020-01-01')`,
  );
  const file = join(folder.path, 'before-the-loss.backup.gz');
  expect(await runProgram('manage.js', ['backup', file], { DATABASE_URL: shop.url })).toMatchObject({ code: 0 });
  await runProgram('manage.js', ['keys', 'revoke', '2'], { DATABASE_URL: shop.url });
  const { code, stdout } = await runRestore(copy.url, file);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^2 API keys are valid, .* revoked since then is valid again/m),
  ]);
  expect(stdout).toMatch(
    /^1 +till +read +valid +.*\n2 +lost tablet +read,write +valid until 2999-01-01 00:00 UTC .*\n\n/m,
  );
  expect(stdout).toContain('npm run keys -- revoke ID');
});

it('a backup of format 1 is restored by this version with every row', async () => {
  const { url } = await createTestDatabase();
  const { code, stdout } = await runRestore(url, join(import.meta.dirname, 'backups/format-1.backup.gz'));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^pet 10\napi_key 2\nidempotency_record 1\nRestored/)]);
  const pets = await execute(url, everyPet);
  expect(pets).toHaveLength(10);
  expect(pets).toContainEqual({
    id: '2',
    category_id: '9223372036854775807',
    name: 'Zoë 🐶',
    status: 'pending',
    created_at: new Date('2026-11-21T10:01:00.123Z'),
  });
  expect(pets.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['tab\tnewline\nreturn\rbackslash\\', String.raw`\.`, ' spaces around ', '🐶'.repeat(200)]),
  );
  // The columns that PostgreSQL computes are not in a backup.
  expect(await execute(url, 'SELECT FROM pet WHERE search_name = fold_name(name)')).toHaveLength(10);
  expect(await execute(url, 'SELECT name, scopes::text, revoked_at IS NULL AS valid FROM api_key ORDER BY id')).toEqual(
    [
      { name: 'till', scopes: '{read,write}', valid: true },
      { name: 'old', scopes: '{read}', valid: false },
    ],
  );
  expect(await execute(url, `SELECT nextval('pet_id_seq')::int AS next`)).toEqual([{ next: 12 }]);
});
