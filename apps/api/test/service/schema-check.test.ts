import { readdir } from 'node:fs/promises';
import { runProgram } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase, execute, type ScratchDatabase, useDatabase } from '../support/scratch-database.js';

const newer = useDatabase();
const breaking = useDatabase();
const foreign = useDatabase();
let empty: ScratchDatabase;
beforeAll(async () => {
  for (const [{ url }, name] of [
    [newer, '9_next'],
    [breaking, '9_next-breaking'],
  ] as const) {
    const migration = `VALUES ('1', '', '${name}', now())`;
    await execute(url, `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) ${migration}`);
  }
  await execute(foreign.url, `UPDATE _prisma_migrations SET migration_name = '20240101_users'`);
  empty = await createEmptyDatabase();
  return () => empty.drop();
});

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

const listKeys = ['keys', 'list'];
it.each<[what: string, database: () => ScratchDatabase, args: string[], code: number, message: RegExp]>([
  [
    'an empty one',
    () => empty,
    listKeys,
    1,
    /^The database does not have the schema .* run the command "migration apply"/,
  ],
  [
    'a newer one that breaks it',
    () => breaking,
    listKeys,
    1,
    /^The database is newer .* 9_next-breaking\. Use the ver/,
  ],
  [
    'that of others',
    () => foreign,
    listKeys,
    1,
    /^A development version of Petstore or another program created .* 2024/,
  ],
  ['a newer one', () => newer, listKeys, 0, /^The database is newer .* 9_next\. They do not break/],
  ['a newer one', () => newer, ['restore', 'a.backup.gz'], 1, /9_next\. .* needs the version that migrated/],
])(
  'a command on %s ends with a message, and migrates no database (%#)',
  async (_what, database, args, code, message) => {
    const result = await runProgram('manage.js', args, { DATABASE_URL: database().url });
    expect(result).toMatchObject({ code, stderr: matching(message) });
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  },
);

it('a command does not create a database in the data directory', async () => {
  const service = await TestService.prepare();
  onTestFinished(() => service.remove());
  const stderr = matching(/^There is no database in .* Before a restore, run the command "migration apply"/);
  expect(await runProgram('manage.js', listKeys, service.variables)).toMatchObject({ code: 1, stderr });
  expect(await readdir(service.dataDir)).toEqual([]);
});

it.each([
  ['the schema is wrong', () => empty.url, 1],
  ['the server does not respond', () => 'postgresql://clerk@127.0.0.1:1/petstore', 0],
])('npm run database:url prints the URL also when %s, so that it can be repaired', async (_what, url, code) => {
  const result = await runProgram('manage.js', ['database-url'], { DATABASE_URL: url() });
  expect(result).toMatchObject({ code, stdout: `${url()}\n` });
});

it('the help of a command shows how a person runs it', async () => {
  const stderr = matching(/Usage: npm run database:url --/);
  expect(await runProgram('manage.js', ['database-url', 'more'], {})).toMatchObject({ code: 1, stderr });
  const { stdout } = await runProgram('manage.js', ['keys', 'create', '--help'], {});
  expect(stdout).toContain('Usage: npm run keys -- create [options]');
});
