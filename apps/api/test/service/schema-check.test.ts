import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { runProgram, startProgram } from '@petstore/processes/program.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createEmptyDatabase,
  createMigratedDatabase,
  execute,
  type ScratchDatabase,
} from '../support/scratch-database.js';
import { TestService } from '../support/test-service.js';

const commands: [name: string, entry: string, args: string[]][] = [
  ['keys', 'keys.js', ['list']],
  ['recount', 'recount.js', []],
  ['database:url', 'database-url.js', []],
];

describe.each(commands)('the command %s', (_name, entry, args) => {
  let service: TestService;
  let database: ScratchDatabase | undefined;

  beforeEach(async () => {
    service = await TestService.prepare();
  });
  afterEach(async () => {
    await service.remove();
    await database?.drop();
    database = undefined;
  });

  const runOn = (url: string) => runProgram(entry, args, { ...service.variables, DATABASE_URL: url });

  it('does not migrate an empty database', async () => {
    database = await createEmptyDatabase();
    const { code, stderr } = await runOn(database.url);
    expect([code, stderr]).toEqual([
      1,
      'The database does not have the schema of the service yet. Start the service, or run "npm run migration:apply".\n',
    ]);
    expect(await execute(database.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('exits with an error on a database that is newer than the code', async () => {
    database = await createMigratedDatabase();
    await execute(
      database.url,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '9_next', now())`,
    );
    const { code, stderr } = await runOn(database.url);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The database is newer .* 9_next\. Use the version that/),
    ]);
  });

  it('works on a database with the schema of this version', async () => {
    database = await createMigratedDatabase();
    expect(await runOn(database.url)).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not create a database in the data directory', async () => {
    const { code, stderr } = await runProgram(entry, args, service.variables);
    const error = `There is no database in ${service.dataDir}. Start the service once, or correct DATA_DIR.\n`;
    expect([code, stderr]).toEqual([1, error]);
    expect(await readdir(service.dataDir)).toEqual([]);
  });
});

describe('npm run database:url', () => {
  it('starts no PostgreSQL', async () => {
    const service = await TestService.prepare();
    await runProgram('migration.js', ['apply'], service.variables);
    const { code, stdout, stderr } = await runProgram('database-url.js', [], service.variables);
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^postgres:\/\/\S+\n$/), '']);
    expect(await service.postmasterPid()).toBeUndefined();
    await service.remove();
  });

  it('prints the URL also when the schema is wrong, so that it can be repaired', async () => {
    const database = await createEmptyDatabase();
    const { code, stdout } = await runProgram('database-url.js', [], { DATABASE_URL: database.url });
    expect([code, stdout]).toEqual([1, `${database.url}\n`]);
    await database.drop();
  });
});

describe('npm run migration:apply', () => {
  it('stops the PostgreSQL that it started when it is interrupted', async () => {
    const service = await TestService.prepare();
    const child = startProgram('migration.js', ['apply'], service.variables);
    const ended = once(child, 'exit');
    await once(child.stdout ?? child, 'data');
    child.kill('SIGINT');
    await ended;
    expect(child.exitCode).toBe(130);
    expect(await service.postmasterPid()).toBeUndefined();
    expect(await runProgram('migration.js', ['apply'], service.variables)).toMatchObject({ code: 0, stderr: '' });
    await service.remove();
  });
});
