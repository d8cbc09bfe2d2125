import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@petstore/migrate';
import { drill } from './drill.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { Service } from './servers/service.js';
import { number, seconds } from './tally.js';

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
