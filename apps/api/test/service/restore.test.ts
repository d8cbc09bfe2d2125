import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { Backups } from '../support/backups.js';
import { addPet } from '../support/pets.js';
import { createMigratedDatabase, execute, type ScratchDatabase } from '../support/scratch-database.js';
import { TestService } from '../support/test-service.js';

const names = ['Rex', 'Tab\tand\nline', String.raw`\.`, String.raw`\N`, '“Ünï\u2028cödé” 🐈', "'; DROP TABLE pet; --"];
const everyPet = 'SELECT id::text, category_id::text, name, status, created_at FROM pet ORDER BY id';

let backups: Backups;
let source: ScratchDatabase;
let target: ScratchDatabase;
let key: string;

beforeAll(async () => {
  [backups, source, target] = await Promise.all([Backups.create(), createMigratedDatabase(), createMigratedDatabase()]);
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
  expect(await runProgram('manage.js', ['backup', backups.file], variables)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  for (const database of [source, target]) await database.drop();
  await backups.remove();
});

const restore = (url: string, path = backups.file) => runProgram('manage.js', ['restore', path], { DATABASE_URL: url });

async function withDatabase(use: (database: ScratchDatabase) => Promise<void>): Promise<void> {
  const database = await createMigratedDatabase();
  try {
    await use(database);
  } finally {
    await database.drop();
  }
}

describe('npm run restore', () => {
  it('restores every row, the totals, the keys and the next id into a database that a service uses', async () => {
    const service = (await TestService.prepare()).with({ DATABASE_URL: target.url });
    await service.start();
    const { code, stderr, stdout } = await restore(target.url);
    expect([code, stderr, stdout]).toEqual([0, expect.anything(), expect.stringContaining(`pet ${names.length}\n`)]);
    for (const query of [everyPet, 'TABLE api_key', 'TABLE idempotency_record']) {
      expect(await execute(target.url, query)).toEqual(await execute(source.url, query));
    }

    const api = new Api(service.url, key);
    await expect.poll(async () => (await api.get('/v1/pets')).status, { timeout: 20_000 }).toBe(200);
    const counted = await api.get('/v1/pets?status=sold', { prefer: 'count=exact' });
    expect(counted.headers.get('x-total-count')).toBe(String(names.length));
    expect(await addPet(api)).toMatchObject({ id: BigInt(names.length + 2) });
    await service.remove();
  });

  it('rejects a database that has animals, and changes nothing', async () => {
    const before = await execute(target.url, everyPet);
    const { code, stderr } = await restore(target.url);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database is not empty/)]);
    expect(await execute(target.url, everyPet)).toEqual(before);
  });

  it.each([
    ['a changed row', (text: string) => text.replace('Rex', 'Max'), /is damaged: the checksum of pet is wrong/],
    ['a missing end', (text: string) => text.slice(0, -20), /is damaged: it is incomplete/],
    ['more after its end', (text: string) => `${text}{}\n`, /is damaged: it continues after its end/],
  ])('restores nothing from a backup with %s', (_, change, problem) =>
    withDatabase(async ({ url }) => {
      const { code, stderr } = await restore(url, await backups.change(change));
      expect([code, stderr]).toEqual([1, expect.stringMatching(problem)]);
      expect(await execute(url, everyPet)).toEqual([]);
    }),
  );

  it('gives new columns their default when the backup has an older schema', () =>
    withDatabase(async ({ url }) => {
      await execute(url, `ALTER TABLE pet ADD COLUMN tag text NOT NULL DEFAULT 'none'`);
      expect((await restore(url)).code).toBe(0);
      expect(await execute(url, 'SELECT DISTINCT tag FROM pet')).toEqual([{ tag: 'none' }]);
    }));

  it('rejects a backup of a newer version', () =>
    withDatabase(async ({ url }) => {
      const newer = await backups.change((text) =>
        text.replace('"migrations":[', '"migrations":["99999999999999_next",'),
      );
      const { code, stderr } = await restore(url, newer);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^A newer version .* 99999999999999_next\./)]);
    }));

  it('rejects a file that is not a backup, and one that does not exist', async () => {
    const other = join(backups.directory, 'other.txt');
    await writeFile(other, 'Chapter 1');
    expect((await restore(target.url, other)).stderr).toMatch(/^The backup .* is damaged: incorrect header check/);
    expect((await restore(target.url, '/missing')).stderr).toMatch(/^The restore of \/missing failed: ENOENT/);
  });
});
