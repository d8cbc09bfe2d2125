import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { runProgram, startProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { addPet } from '../support/pets.js';
import {
  countLockWaits,
  createMigratedDatabase,
  execute,
  hold,
  type ScratchDatabase,
} from '../support/scratch-database.js';
import { TestService } from '../support/test-service.js';

const names = ['Rex', 'Tab\tand\nline', String.raw`\.`, String.raw`\N`, '“Ünï\u2028cödé” 🐈', "'; DROP TABLE pet; --"];
const everyPet = 'SELECT id::text, name, category_id::text, status, created_at::text FROM pet ORDER BY id';

let directory: string;
let file: string;
let source: TestService;
let target: ScratchDatabase;
let key: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-backup-'));
  file = join(directory, 'petstore.backup.gz');
  source = await TestService.prepare();
  await source.start();
  for (const name of names) await addPet(source.api, { name, status: 'sold' });
  const created = await runProgram(
    'keys.js',
    ['create', '--name', 'till', '--scopes', 'read,write', '--json'],
    source.variables,
  );
  key = (JSON.parse(created.stdout) as { key: string }).key;
  target = await createMigratedDatabase();
});
afterAll(async () => {
  await source.remove();
  await target.drop();
  await rm(directory, { recursive: true });
});

const backUp = (...args: string[]) => runProgram('backup.js', args, source.variables);
const restore = (url: string, path = file) => runProgram('restore.js', [path], { DATABASE_URL: url });
const sql = async (statement: string) => execute(await source.databaseUrl(), statement);

async function withDatabase(use: (database: ScratchDatabase) => Promise<void>): Promise<void> {
  const database = await createMigratedDatabase();
  try {
    await use(database);
  } finally {
    await database.drop();
  }
}

/** A backup whose text was changed. */
async function changedBackup(change: (text: string) => string): Promise<string> {
  const path = join(directory, 'changed.backup.gz');
  await writeFile(path, gzipSync(change(gunzipSync(await readFile(file)).toString())));
  return path;
}

describe('npm run backup', () => {
  it('writes one file that only its owner can read, while the service runs', async () => {
    const { code, stdout } = await backUp(file);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Wrote .*petstore\.backup\.gz \(0\.0 MB\)\.\n$/)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['petstore.backup.gz']);
  });

  it('includes every table of the schema that is not rebuilt', async () => {
    const tables = await sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    const text = gunzipSync(await readFile(file)).toString();
    const included = [...text.matchAll(/^{"table":"(\w+)"/gm)].map(([, name]) => name);
    const expected = new Set([...included, '_prisma_migrations', 'pet_count']);
    expect(new Set(tables.map(({ tablename }) => tablename))).toEqual(expected);
  });

  it('verifies a backup in a temporary database', async () => {
    const { code, stdout } = await backUp('--verify', file);
    expect([code, stdout]).toEqual([0, `${file} is complete, and every row is unchanged.\n`]);
  });

  it.each([
    ['a changed row', (text: string) => text.replace('Rex', 'Max'), /the checksum of pet is wrong/],
    ['a missing end', (text: string) => text.slice(0, -20), /it is incomplete/],
    ['more after its end', (text: string) => `${text}{}\n`, /it continues after its end/],
  ])('finds %s in a backup', async (_, change, problem) => {
    const { code, stderr } = await backUp('--verify', await changedBackup(change));
    expect([code, stderr]).toEqual([1, expect.stringMatching(problem)]);
  });

  it('keeps the newest backups of a directory, and every other file', async () => {
    const scheduled = join(directory, 'scheduled');
    await backUp('--directory', scheduled);
    const old = ['petstore-20200101T000000Z.backup.gz', 'petstore-20200102T000000Z.backup.gz', 'notes.txt'];
    for (const name of old) await writeFile(join(scheduled, name), '');
    const { code } = await backUp('--directory', scheduled, '--keep', '2');
    expect(code).toBe(0);
    const left = await readdir(scheduled);
    expect(left).toContain('notes.txt');
    expect(left.filter((name) => name.startsWith('petstore-2020'))).toEqual([]);
    expect(left).toHaveLength(3);
  });

  it('leaves no part of a file when it is interrupted', async () => {
    const url = await source.databaseUrl();
    const holder = await hold(url, 'LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
    const interrupted = join(directory, 'interrupted');
    await mkdir(interrupted);
    const backup = startProgram('backup.js', [join(interrupted, 'file')], source.variables);
    await expect.poll(() => countLockWaits(url), { timeout: 20_000 }).toBe(1);
    expect(await readdir(interrupted)).toHaveLength(1);
    backup.kill('SIGINT');
    expect(await once(backup, 'exit')).toEqual([130, null]);
    expect(await readdir(interrupted)).toEqual([]);
    await holder.query('ROLLBACK');
  });

  it.each([
    [[], 'Give either a file, or --directory, or --verify.'],
    [['a', '--directory', 'b'], 'Give either a file, or --directory, or --verify.'],
    [['a', '--keep', '2'], '--keep needs --directory.'],
    [['--directory', 'a', '--keep', '0'], 'It must be a whole number from 1.'],
    [['/proc/petstore.backup.gz'], 'The backup to /proc/petstore.backup.gz failed: ENOENT'],
  ])('explains why it rejects the arguments %j', async (args, message) => {
    const { code, stderr } = await backUp(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('npm run restore', () => {
  it('restores every row, the totals, the keys and the next id into a database that a service uses', async () => {
    const service = (await TestService.prepare()).with({ DATABASE_URL: target.url });
    await service.start();
    const idempotent = { 'idempotency-key': 'a' };
    const first = await source.api.post('/v1/pets', { name: 'Once', categoryId: 7 }, idempotent);
    await addPet(source.api, { name: 'Deleted later' });
    await sql(`DELETE FROM pet WHERE name = 'Deleted later'`);
    await backUp(file);
    const { code, stderr, stdout } = await restore(target.url);
    expect([code, stderr, stdout]).toEqual([
      0,
      expect.anything(),
      expect.stringContaining(`pet ${names.length + 1}\n`),
    ]);
    expect(await execute(target.url, everyPet)).toEqual(await sql(everyPet));

    const api = new Api(service.url, key);
    await expect.poll(async () => (await api.get('/v1/pets')).status, { timeout: 20_000 }).toBe(200);
    const counted = await api.get('/v1/pets?status=sold', { prefer: 'count=exact' });
    expect(counted.headers.get('x-total-count')).toBe(String(names.length));
    const { id } = first.json as { id: bigint };
    expect(await addPet(api)).toMatchObject({ id: id + 2n });
    await service.remove();
  });

  it('rejects a database that has animals, and changes nothing', async () => {
    const before = await execute(target.url, everyPet);
    const { code, stderr } = await restore(target.url);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database has animals already/)]);
    expect(await execute(target.url, everyPet)).toEqual(before);
  });

  it('restores nothing from a damaged backup', () =>
    withDatabase(async ({ url }) => {
      const { code, stderr } = await restore(url, await changedBackup((text) => text.replace('Rex', 'Max')));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/is damaged: the checksum of pet is wrong/)]);
      expect(await execute(url, everyPet)).toEqual([]);
    }));

  it('gives new columns their default when the backup has an older schema', () =>
    withDatabase(async ({ url }) => {
      await execute(url, `ALTER TABLE pet ADD COLUMN tag text NOT NULL DEFAULT 'none'`);
      expect((await restore(url)).code).toBe(0);
      expect(await execute(url, 'SELECT DISTINCT tag FROM pet')).toEqual([{ tag: 'none' }]);
    }));

  it('rejects a backup of a newer version', () =>
    withDatabase(async ({ url }) => {
      const newer = await changedBackup((text) =>
        text.replace('"migrations":[', '"migrations":["99999999999999_next",'),
      );
      const { code, stderr } = await restore(url, newer);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^A newer version .* 99999999999999_next\./)]);
    }));

  it('rejects a file that is not a backup, and one that does not exist', async () => {
    const other = join(directory, 'other.txt');
    await writeFile(other, 'Chapter 1');
    expect((await restore(target.url, other)).stderr).toMatch(/^The backup .* is damaged: incorrect header check/);
    expect((await restore(target.url, '/missing')).stderr).toMatch(/^The restore of \/missing failed: ENOENT/);
  });
});

describe('a migration of the embedded database', () => {
  let service: TestService;
  const apply = () => runProgram('migration.js', ['apply'], service.variables);

  beforeAll(async () => {
    service = await TestService.prepare();
    await service.start();
    await addPet(service.api, { name: 'Rex' });
    await execute(await service.databaseUrl(), 'DELETE FROM _prisma_migrations');
    await service.end('SIGTERM');
  });
  afterAll(() => service.remove());

  it('does not run when the backup before it fails', async () => {
    await writeFile(join(service.dataDir, 'backups'), '');
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The creation of .*backups failed: EEXIST/)]);
    await rm(join(service.dataDir, 'backups'));
  });

  it('runs after a backup', async () => {
    const { stdout } = await apply();
    const path = /^Backing up the database to (\S+\/backups\/before-\d+_init\.backup\.gz) before/m.exec(stdout)?.[1];
    expect((await backUp('--verify', String(path))).code).toBe(0);
  });
});
