import { readdir } from 'node:fs/promises';
import { runProgram } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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

async function runOn({ url }: ScratchDatabase, ...args: string[]): Promise<[code: number | null, stderr: string]> {
  const { code, stderr } = await runProgram('manage.js', args, { DATABASE_URL: url });
  return [code, stderr];
}

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describe('a command', () => {
  const args = ['keys', 'list'];

  it('does not migrate an empty database, and exits with an error on a newer one only if it breaks this version', async () => {
    expect(await runOn(empty, ...args)).toEqual([
      1,
      'The database does not have the schema of the service yet. Start the service, or run the command "migration apply".\n',
    ]);
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    const error = matching(/^The database is newer .* 9_next-breaking\. Use the version that/);
    expect(await runOn(breaking, ...args)).toEqual([1, error]);
    const another = matching(
      /^A development version of Petstore or another program created the database: .* 20240101_users, which this version/,
    );
    expect(await runOn(foreign, ...args)).toEqual([1, another]);
    const warning = matching(/^The database is newer .* 9_next\. They do not break/);
    expect(await runOn(newer, ...args)).toEqual([0, warning]);
  });

  it('does not create a database in the data directory', async () => {
    const service = await TestService.prepare();
    onTestFinished(() => service.remove());
    const { code, stderr } = await runProgram('manage.js', args, service.variables);
    const error = matching(/^There is no database in .* Before a restore, run the command "migration apply"/);
    expect([code, stderr]).toEqual([1, error]);
    expect(await readdir(service.dataDir)).toEqual([]);
  });
});

it('npm run restore exits with an error on a database that is newer, even if it does not break this version', async () => {
  const error = matching(/9_next\. .* needs the version that migrated/);
  expect(await runOn(newer, 'restore', 'petstore.backup.gz')).toEqual([1, error]);
});

it.each([
  ['the schema is wrong', () => empty.url, 1],
  ['the server does not respond', () => 'postgresql://clerk@127.0.0.1:1/petstore', 0],
])('npm run database:url prints the URL also when %s, so that it can be repaired', async (_what, url, exitCode) => {
  const { code, stdout } = await runProgram('manage.js', ['database-url'], { DATABASE_URL: url() });
  expect([code, stdout]).toEqual([exitCode, `${url()}\n`]);
});

it('the help of a command shows how a person runs it', async () => {
  const usage = expect.stringContaining('Usage: npm run database:url --') as string;
  expect(await runOn(empty, 'database-url', 'more')).toEqual([1, usage]);
  const { stdout } = await runProgram('manage.js', ['keys', 'create', '--help'], {});
  expect(stdout).toContain('Usage: npm run keys -- create [options]');
});
