import { readdir } from 'node:fs/promises';
import { runProgram } from '@petstore/processes/program.js';
import { TestService } from '@petstore/processes/test-service.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEmptyDatabase,
  createMigratedDatabase,
  execute,
  type ScratchDatabase,
} from '../support/scratch-database.js';

const commands: [name: string, args: string[]][] = [
  ['keys', ['keys', 'list']],
  ['database:url', ['database-url']],
];

let service: TestService;
let empty: ScratchDatabase;
let newer: ScratchDatabase;
let breaking: ScratchDatabase;
beforeAll(async () => {
  service = await TestService.prepare();
  empty = await createEmptyDatabase();
  [newer, breaking] = [await createMigratedDatabase(), await createMigratedDatabase()];
  await addMigration(newer, '9_next');
  await addMigration(breaking, '9_next-breaking');
});
afterAll(async () => {
  await service.remove();
  for (const database of [empty, newer, breaking]) await database.drop();
});

async function addMigration({ url }: ScratchDatabase, name: string): Promise<void> {
  await execute(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '${name}', now())`,
  );
}

describe.each(commands)('the command %s', (_name, args) => {
  const runOn = ({ url }: ScratchDatabase) => runProgram('manage.js', args, { DATABASE_URL: url });

  it('does not migrate an empty database', async () => {
    const { code, stderr } = await runOn(empty);
    expect([code, stderr]).toEqual([
      1,
      'The database does not have the schema of the service yet. Start the service, or run "npm run migration:apply".\n',
    ]);
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('exits with an error on a database that is newer and breaks this version', async () => {
    const { code, stderr } = await runOn(breaking);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The database is newer .* 9_next-breaking\. Use the version that/),
    ]);
  });

  it('works on a newer database that does not break this version, and warns on standard error', async () => {
    const { code, stderr } = await runOn(newer);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The database is newer .* 9_next\. They do not break/)]);
  });

  it('does not create a database in the data directory', async () => {
    const { code, stderr } = await runProgram('manage.js', args, service.variables);
    const error = expect.stringMatching(
      /^There is no database in .* Before a restore, run "npm run migration:apply"/,
    ) as string;
    expect([code, stderr]).toEqual([1, error]);
    expect(await readdir(service.dataDir)).toEqual([]);
  });
});

describe('npm run restore', () => {
  it('exits with an error on a database that is newer, even if it does not break this version', async () => {
    const args = ['restore', 'petstore.backup.gz'];
    const { code, stderr } = await runProgram('manage.js', args, { DATABASE_URL: newer.url });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/9_next\. .* needs the version that migrated/)]);
  });
});

describe('npm run database:url', () => {
  it('has its own name in the help', async () => {
    const { code, stderr } = await runProgram('manage.js', ['database-url', 'more'], { DATABASE_URL: empty.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Usage: npm run database:url --')]);
  });

  it('prints the URL also when the schema is wrong, so that it can be repaired', async () => {
    const { code, stdout } = await runProgram('manage.js', ['database-url'], { DATABASE_URL: empty.url });
    expect([code, stdout]).toEqual([1, `${empty.url}\n`]);
  });
});
