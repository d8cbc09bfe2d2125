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

const runOn = ({ url }: { url: string }, ...args: string[]) => runProgram('manage.js', args, { DATABASE_URL: url });

it.each<[what: string, database: () => ScratchDatabase, message: RegExp]>([
  ['an empty one', () => empty, /^The database does not have the schema .* run the command "migration apply"/],
  ['a newer one that breaks it', () => breaking, /^The database is newer .* 9_next-breaking\. Use the ver/],
  ['that of others', () => foreign, /^A development version of Petstore or another program created .* 2024/],
])('a command on a database ends with a message, and migrates nothing: %s', async (_what, database, message) => {
  expect(await runOn(database(), 'keys', 'list')).toMatchObject({ code: 1, stderr: matching(message) });
  expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
});

it('a command warns of a newer database that does not break it, and a restore is refused', async () => {
  const stderr = matching(/^The database is newer .* 9_next\. They do not break/);
  expect(await runOn(newer, 'keys', 'list')).toMatchObject({ code: 0, stderr });
  const refusal = matching(/9_next\. .* needs the version that migrated/);
  expect(await runOn(newer, 'restore', 'a.backup.gz')).toMatchObject({ code: 1, stderr: refusal });
});

it('a command does not create a database in the data directory', async () => {
  const service = await TestService.prepare();
  onTestFinished(() => service.remove());
  const stderr = matching(/^There is no database in .* Before a restore, run the command "migration apply"/);
  expect(await runProgram('manage.js', ['keys', 'list'], service.variables)).toMatchObject({ code: 1, stderr });
  expect(await readdir(service.dataDir)).toEqual([]);
});

it.each([
  ['the schema is wrong', () => empty, 1],
  ['the server does not respond', () => ({ url: 'postgresql://clerk@127.0.0.1:1/petstore' }), 0],
])('npm run database:url prints the URL also when %s, so that it can be repaired', async (_what, database, code) => {
  expect(await runOn(database(), 'database-url')).toMatchObject({ code, stdout: `${database().url}\n` });
});

it('the help of a command shows how a person runs it', async () => {
  const stderr = matching(/Usage: npm run database:url --/);
  expect(await runProgram('manage.js', ['database-url', 'more'], {})).toMatchObject({ code: 1, stderr });
  const { stdout } = await runProgram('manage.js', ['keys', 'create', '--help'], {});
  expect(stdout).toContain('Usage: npm run keys -- create [options]');
});
