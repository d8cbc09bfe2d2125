import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execute } from '@petstore/processes/database.js';
import { runProgram } from '@petstore/processes/program.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { drill } from './drill.js';
import { SystemPostgres } from './servers/system-postgres.js';
import { number, type Tally } from './tally.js';

const fill = (pets: number) => `
  INSERT INTO pet (name, category_id, status)
    SELECT 'Animal ' || n, n % 50, (enum_range(NULL::"PetStatus"))[1 + n % 3] FROM generate_series(1, ${pets}) AS n;
  DELETE FROM pet WHERE id % 10 = 0;
  UPDATE pet SET status = 'sold' WHERE id % 7 = 0`;
const countedSql = `
  SELECT status::text, sum(pets)::int AS pets FROM pet_count GROUP BY status HAVING sum(pets) <> 0 ORDER BY status`;
const actualSql = 'SELECT status::text, count(*)::int AS pets FROM pet GROUP BY status ORDER BY status';

/** The tables behave for PostgreSQL's own tools as every PostgreSQL user expects. */
drill(
  'pg_dump, pg_restore, logical replication and ALTER TABLE on the tables of the service',
  { timeout: 180_000 },
  async ({ cleanup, isQuick, tally, skip }) => {
    const postgres = await SystemPostgres.start({ cleanup, skip });
    const files = await temporaryDirectory(cleanup);
    const pets = isQuick ? 10_000 : 200_000;
    const source = await migrated(postgres, 'source');
    await execute(source, fill(pets));
    await fullRestore(postgres, join(files, 'full.dump'), tally);
    await dataOnlyRestore(postgres, join(files, 'data.dump'), tally);
    await postgres.run('pg_dump', ['-t', 'pet', '-f', join(files, 'pet.sql'), source]);
    await replication(postgres, source, tally);
    await execute(source, 'ALTER TABLE pet ADD COLUMN breed text; DROP TABLE pet CASCADE');
    tally.note(`${number(pets)} animals dumped, restored and replicated`);
  },
);

/** Creates a database with the schema of this version. */
async function migrated(postgres: SystemPostgres, name: string): Promise<string> {
  const url = await postgres.createDatabase(name);
  const { code, stderr } = await runProgram('manage.js', ['migration', 'apply'], { DATABASE_URL: url });
  if (code !== 0) throw new Error(stderr);
  return url;
}

async function fullRestore(postgres: SystemPostgres, file: string, tally: Tally): Promise<void> {
  const target = await postgres.createDatabase('restored');
  await postgres.run('pg_dump', ['-Fc', '-f', file, postgres.url('source')]);
  await postgres.run('pg_restore', ['-d', target, file]);
  await expectCounts(target, tally, 'a full restore');
}

/** Totals are doubled until a recount corrects them, as documented. */
async function dataOnlyRestore(postgres: SystemPostgres, file: string, tally: Tally): Promise<void> {
  const target = await migrated(postgres, 'data_only');
  await postgres.run('pg_dump', [
    '-Fc',
    '--data-only',
    '--exclude-table=_prisma_migrations',
    '-f',
    file,
    postgres.url('source'),
  ]);
  await postgres.run('pg_restore', ['--data-only', '-d', target, file]);
  tally.expect(!(await isCounted(target)), 'a data-only restore needed no recount, unlike documented');
  const { code, stderr } = await runProgram('manage.js', ['recount'], { DATABASE_URL: target });
  tally.expect(code === 0, `the recount failed: ${stderr}`);
  await expectCounts(target, tally, 'a recount');
}

/** Statement triggers do not fire on a subscriber, so `pet_count` is published too. */
async function replication(postgres: SystemPostgres, source: string, tally: Tally): Promise<void> {
  const target = await migrated(postgres, 'subscriber');
  await execute(source, 'CREATE PUBLICATION pets FOR TABLE pet, pet_count');
  await execute(source, `SELECT pg_create_logical_replication_slot('pets', 'pgoutput')`);
  await execute(
    target,
    `CREATE SUBSCRIPTION pets CONNECTION '${source}' PUBLICATION pets WITH (create_slot = false, slot_name = 'pets')`,
  );
  await execute(source, `INSERT INTO pet (name, category_id) VALUES ('Last', 1)`);
  for (let left = 600; left > 0 && !(await hasLast(target)); left -= 1) await sleep(50);
  await expectCounts(target, tally, 'logical replication');
  await execute(
    target,
    'ALTER SUBSCRIPTION pets DISABLE; ALTER SUBSCRIPTION pets SET (slot_name = NONE); DROP SUBSCRIPTION pets',
  );
}

async function hasLast(url: string): Promise<boolean> {
  return (await execute(url, `SELECT FROM pet WHERE name = 'Last'`)).length === 1;
}

async function isCounted(url: string): Promise<boolean> {
  return JSON.stringify(await execute(url, countedSql)) === JSON.stringify(await execute(url, actualSql));
}

async function expectCounts(url: string, tally: Tally, after: string): Promise<void> {
  tally.expect((await execute(url, actualSql)).length === 3, `pets are missing after ${after}`);
  tally.expect(await isCounted(url), `the totals are wrong after ${after}`);
}
