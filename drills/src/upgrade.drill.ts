import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migrate } from '@petstore/migrate';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { audit, WritingClients } from './clients/writing-clients.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { number, seconds, type Tally } from './tally.js';

const migrationsDirectory = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const everything = `SELECT md5(string_agg(pet::text, ',' ORDER BY id)) AS digest, count(*)::int AS animals FROM pet`;

drill(
  'a filled database of the first release, upgraded to this version',
  { timeout: 180_000 },
  async ({ cleanup, isQuick, tally }) => {
    const postgres = await PostgresServer.start(cleanup);
    const animals = isQuick ? 20_000 : 1_000_000;
    const pending = await createFirstVersion(postgres, await temporaryDirectory(cleanup));
    await postgres.query(`INSERT INTO pet (name, category_id, status, created_at)
    SELECT 'Animal ' || n, n % 500, (enum_range(NULL::"PetStatus"))[1 + n % 3], now() - n * interval '1 s'
    FROM generate_series(1, ${animals}) AS n`);
    const [before] = await postgres.query<{ digest: string; animals: number }>(everything);
    const service = await Service.prepare(cleanup, { variables: { DATABASE_URL: postgres.url() } });
    const took = await service.start();
    const [after] = await postgres.query<{ digest: string; animals: number }>(everything);
    tally.lost = Math.max(0, (before?.animals ?? 0) - (after?.animals ?? 0));
    tally.expect(before?.digest === after?.digest, 'the upgrade changed animals');
    const { total } = await service.client().listPets({ limit: 1, count: true }).page();
    tally.expect(total === animals, `the list returned the total ${total} for ${animals} animals`);
    const { id } = await service.client().createPet({ name: 'Rex', categoryId: 7n });
    tally.acknowledged = animals + 1;
    tally.expect(id === BigInt(animals + 1), `the next animal got the id ${id}`);
    tally.note(`${number(animals)} animals, ${pending} migrations, ready after ${seconds(took)}`);
  },
);

drill(
  'an upgrade to a version with one more migration and back, with old and new services side by side under load',
  { timeout: 180_000 },
  async ({ cleanup, isQuick, tally }) => {
    const postgres = await PostgresServer.start(cleanup);
    const variables = { DATABASE_URL: postgres.url() };
    const [killed, kept] = [await Service.start(cleanup, { variables }), await Service.start(cleanup, { variables })];
    const sql = 'ALTER TABLE pet ADD COLUMN color text';
    const entry = await buildNextVersion(cleanup, '99990101000000_add_color', sql);
    const next = await Service.prepare(cleanup, { variables, entry });
    const load = new BalancedLoad([killed, kept], tally);
    const phaseMs = isQuick ? 500 : 5000;
    await sleep(phaseMs);

    await next.start();
    load.services = [killed, kept, next];
    await sleep(phaseMs);

    load.services = [kept, next];
    await killed.end('SIGKILL');
    const warning =
      'newer than this version of the service, which does not know the migrations 99990101000000_add_color';
    const before = killed.output.length;
    await killed.start();
    tally.expect(killed.output.slice(before).includes(warning), 'the old version did not warn about the new migration');
    load.services = [killed, kept, next];
    await sleep(phaseMs);

    load.services = [killed, kept];
    await next.end('SIGTERM');
    await sleep(phaseMs);
    await audit(kept.client(), await load.clients.finish(), tally);
    tally.note('migrated under load, old version killed and restarted, rolled back');
  },
);

drill(
  'an old version on a database with a migration that breaks it',
  { timeout: 120_000 },
  async ({ cleanup, tally }) => {
    const postgres = await PostgresServer.start(cleanup);
    const variables = { DATABASE_URL: postgres.url() };
    const old = await Service.start(cleanup, { variables });
    await old.end('SIGTERM');
    const sql = 'ALTER TABLE pet RENAME COLUMN created_at TO added_at';
    const entry = await buildNextVersion(cleanup, '99990101000000_rename_created_at-breaking', sql);
    const next = await Service.start(cleanup, { variables, entry });
    const code = await (await old.launch()).exited();
    tally.expect(code === 1, `the old version exited with ${code}`);
    const isExplained = /database is newer .* 99990101000000_rename_created_at-breaking\. Use the version/.test(
      old.output,
    );
    tally.expect(isExplained, `the old version printed: ${old.output.slice(-500)}`);
    tally.expect(!next.hasEnded, 'the new version ended');
    tally.note('the old version refused to start');
  },
);

/** Clients that write through several services, as behind a load balancer. */
class BalancedLoad {
  readonly clients: WritingClients;

  constructor(
    public services: readonly Service[],
    tally: Tally,
  ) {
    const [first] = services;
    if (!first) throw new Error('No service was given.');
    this.clients = new WritingClients({
      clientOf: (writer, { fetch = globalThis.fetch, ...options }) =>
        first.client({ ...options, fetch: (_, init) => fetch(`${this.urlFor(writer)}/v1/pets`, init) }),
      writers: 16,
      tally,
    });
  }

  private urlFor(writer: number): string {
    return this.services[writer % this.services.length]?.url ?? '';
  }
}

/** Creates the database of the first release. Returns the number of later migrations. */
async function createFirstVersion(postgres: PostgresServer, folder: string): Promise<number> {
  const entries = await readdir(migrationsDirectory, { withFileTypes: true });
  const [first = '', ...later] = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  await cp(join(migrationsDirectory, first), join(folder, first), { recursive: true });
  await migrate(postgres.url(), { directory: folder, log: () => undefined });
  return later.length;
}

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Copies the built service, with one more migration. Returns the path of its program. */
async function buildNextVersion(cleanup: Cleanup, migration: string, sql: string): Promise<string> {
  const directory = await temporaryDirectory(cleanup);
  for (const path of ['apps/api/package.json', 'apps/api/dist', 'prisma/migrations']) {
    await cp(join(repository, path), join(directory, path), { recursive: true });
  }
  const folder = join(directory, 'prisma/migrations', migration);
  await mkdir(folder);
  await writeFile(join(folder, 'migration.sql'), `${sql};\n`);
  return join(directory, 'apps/api/dist/main.js');
}
