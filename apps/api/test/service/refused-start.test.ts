import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram } from '@petstore/processes/program.js';
import { TestService } from '@petstore/processes/test-service.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Backups } from '../support/backups.js';
import { addPet } from '../support/pets.js';
import { createEmptyDatabase, createMigratedDatabase, execute } from '../support/scratch-database.js';
import { addCluster, apiOf, prepareOnServer } from '../support/service.js';

const message =
  'The database has no animals, but BACKUP_DIRECTORY has a backup with 2. Is a disk missing? ' +
  'Restore the backup, or use another BACKUP_DIRECTORY for a new store.';

let service: TestService;
let backups: Backups;
beforeEach(async () => {
  backups = await Backups.create();
  service = (await TestService.prepare()).with({ BACKUP_DIRECTORY: backups.directory, LOG_FORMAT: 'pretty' });
});
afterEach(async () => {
  await service.remove();
  await backups.remove();
});

const start = (variables: Record<string, string> = {}) =>
  runProgram('main.js', [], { ...service.variables, ...variables });
const manage = (...args: string[]) => runProgram('manage.js', args, service.variables);
const files = async () => (await readdir(backups.directory)).toSorted();

/** Backs up a database with animals of these names twice. Returns the paths of the backups, the older one first. */
async function backUp(...names: string[]): Promise<[string, string]> {
  const before = await prepareOnServer();
  before.with({ BACKUP_DIRECTORY: backups.directory });
  try {
    await before.start();
    for (const name of names) await addPet(apiOf(before), { name });
    await before.end('SIGTERM');
    for (let time = 0; time < 2; time += 1) {
      expect(await runProgram('manage.js', ['backup'], before.variables)).toMatchObject({ code: 0 });
    }
  } finally {
    await before.remove();
  }
  const [older, newer] = (await files()).slice(-2).map((name) => join(backups.directory, name));
  return [String(older), String(newer)];
}

describe('a start without animals, while a backup has some', () => {
  it('is refused before an embedded database is created, also if a newer one is damaged, and works after a restore', async () => {
    const [backup, damaged] = await backUp('Rex', 'Max');
    await truncate(damaged, 100);
    const kept = await files();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { code, stderr, stdout } = await start();
      expect([code, stderr]).toEqual([78, expect.stringContaining(message)]);
      expect(stdout + stderr).toContain(damaged);
      expect(await readdir(service.dataDir)).toEqual([]);
    }
    expect(await files()).toEqual(kept);

    await addCluster(service);
    expect(await start()).toMatchObject({ code: 78 });
    expect(await manage('migration', 'apply')).toMatchObject({ code: 0 });
    expect(await start()).toMatchObject({ code: 78 });
    expect(await manage('restore', backup)).toMatchObject({ code: 0 });
    await service.start();
    expect((await apiOf(service).get('/v1/pets')).json).toHaveLength(2);
  });

  it('is refused on a server, whether or not the start would migrate', async () => {
    await backUp('Rex', 'Max');
    const [empty, migrated] = [await createEmptyDatabase(), await createMigratedDatabase()];
    for (const variables of [
      { DATABASE_URL: empty.url },
      { DATABASE_URL: migrated.url },
      { DATABASE_URL: migrated.url, MIGRATE_ON_START: 'false' },
    ]) {
      const { code, stderr } = await start(variables);
      expect([code, stderr]).toEqual([78, expect.stringContaining(message)]);
    }
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    for (const database of [empty, migrated]) await database.drop();
  });

  it.each([
    ['was renamed', (path: string) => rename(path, join(dirname(path), 'petstore-2026-11-25.backup.gz')), message],
    ['has the mark of fewer animals', (path: string) => rename(path, path.replace('Z.', 'Z-smaller.')), message],
    ['cannot be read', (path: string) => truncate(path, 100), 'BACKUP_DIRECTORY has a backup that cannot be read'],
  ])('is refused when the only backup %s', async (_what, change, reason) => {
    const [, newer] = await backUp('Rex', 'Max');
    for (const name of await files()) if (!newer.endsWith(name)) await rm(join(backups.directory, name));
    await change(newer);
    const { code, stderr } = await start();
    expect([code, stderr]).toEqual([78, expect.stringContaining(reason)]);
    expect(await readdir(service.dataDir)).toEqual([]);
  });

  it('works when no backup has animals', async () => {
    await backUp();
    await service.start();
    expect((await apiOf(service).get('/v1/pets')).json).toEqual([]);
  });
});

describe('a start with an invalid line in CATEGORIES_FILE', () => {
  it('fails before it creates the database', async () => {
    const file = join(service.dataDir, 'categories.csv');
    await writeFile(file, 'number,name\n1,Dogs\n2\n3.5,Cats\n');
    const { code, stderr } = await start({ CATEGORIES_FILE: file });
    const int64 = '-9223372036854775808 and 9223372036854775807';
    expect([code, stderr.split('\n')]).toEqual([
      78,
      [
        'Invalid configuration:',
        `  CATEGORIES_FILE: ${file}: line 3 must have 2 cells, number and name, not 1`,
        `  CATEGORIES_FILE: ${file}: line 4: number must be an integer between ${int64}`,
        '',
      ],
    ]);
    expect(await service.postmasterPid()).toBeUndefined();
  });
});
