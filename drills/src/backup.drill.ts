import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { manage } from '@petstore/processes/program.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { WritingClients } from './clients/writing-clients.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { number, percent, seconds, type Tally } from './tally.js';

const writers = 8;
const backups = 3;
/** The share of the creates that scheduled backups may cost. */
const slowdown = 0.05;

drill(
  'a backup of a million animals while clients write, restored and compared',
  { timeout: 1_200_000 },
  async ({ cleanup, isQuick, animals: given, tally }) => {
    const animals = given ?? (isQuick ? 20_000 : 1_000_000);
    const server = await PostgresServer.start(cleanup);
    const [source, target] = [server.url(), await server.createDatabase('restored')];
    const service = await Service.start(cleanup, { variables: { DATABASE_URL: source } });
    await fill(server, animals);
    const file = join(await temporaryDirectory(cleanup), 'petstore.backup.gz');
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers, tally });
    await clients.nextAcknowledged();
    const before = [...clients.acknowledged.values()];
    const backingUp = await run(['backup', file], { DATABASE_URL: source });
    const during = clients.acknowledged.size - before.length;
    await clients.finish();
    await run(['migration', 'apply'], { DATABASE_URL: target });
    const restore = await run(['restore', file], { DATABASE_URL: target });
    const verify = await run(['backup', '--verify', file], { DATABASE_URL: source });

    const total = await compare(server, { animals, before, tally });
    await checkRestored(await Service.start(cleanup, { variables: { DATABASE_URL: target } }), total, tally);
    const size = `${((await stat(file)).size / 1e6).toFixed(1)} MB`;
    tally.note(`${number(total)} animals in ${size}, ${number(during)} added during the backup`);
    tally.note(`backup ${seconds(backingUp)}, restore ${seconds(restore)}, verification ${seconds(verify)}`);
  },
);

drill(
  'scheduled backups of a million animals while clients write: throughput with and without',
  { timeout: 900_000 },
  async ({ cleanup, isQuick, animals, tally }) => {
    const server = await PostgresServer.start(cleanup);
    const service = await Service.start(cleanup, { variables: { DATABASE_URL: server.url() } });
    await fill(server, animals ?? (isQuick ? 20_000 : 1_000_000));
    const directory = await temporaryDirectory(cleanup);
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers, tally });
    const rateDuring = async (work: Promise<unknown>) => {
      const [begin, written] = [performance.now(), clients.acknowledged.size];
      await work;
      return ((clients.acknowledged.size - written) * 1000) / (performance.now() - begin);
    };
    const pauseMs = isQuick ? 1000 : 20_000;
    await sleep(pauseMs);
    const ratios: number[] = [];
    let before = await rateDuring(sleep(pauseMs));
    while (ratios.length < (isQuick ? 1 : backups)) {
      const variables = { DATABASE_URL: server.url(), BACKUP_DIRECTORY: join(directory, String(ratios.length)) };
      const during = await rateDuring(run(['backup', '--scheduled'], variables));
      const after = await rateDuring(sleep(pauseMs));
      // Compared with the time before and after it, because a machine's speed changes.
      ratios.push((2 * during) / (before + after));
      before = after;
    }
    await clients.finish();
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
    const limit = `the throughput with a backup is at least ${percent(1 - slowdown)} of the one without`;
    if (isQuick) tally.note(`not checked: ${limit}`);
    else tally.expect(median >= 1 - slowdown, `not true: ${limit}`);
    tally.note(`throughput with a backup ${ratios.map(percent).join(', ')} of ${number(Math.round(before))} creates/s`);
  },
);

async function fill(server: PostgresServer, animals: number): Promise<void> {
  await server.query(`INSERT INTO pet (name, category_id, status, created_at)
    SELECT 'Animal ' || n || E'\\t\\\\', n % 500, (enum_range(NULL::"PetStatus"))[1 + n % 3], now() - n * interval '1 s'
    FROM generate_series(1, ${animals}) AS n`);
}

/** Runs a command of the service. Returns the milliseconds that it took. */
async function run(args: string[], variables: Record<string, string>): Promise<number> {
  const begin = performance.now();
  await manage(args, variables);
  return performance.now() - begin;
}

interface Written {
  /** The number of animals with the first ids, which existed before the clients wrote. */
  readonly animals: number;
  /** The ids of the animals that were acknowledged before the backup. */
  readonly before: readonly bigint[];
  readonly tally: Tally;
}

/** Compares all restored rows with those of the source. Returns their number. */
async function compare(server: PostgresServer, { animals, before, tally }: Written): Promise<number> {
  const filledOf = (database: string) =>
    server.query<{ rows: number; digest: string }>(
      `SELECT count(*)::int AS rows, md5(string_agg(pet::text, ',' ORDER BY id)) AS digest FROM pet WHERE id <= ${animals}`,
      database,
    );
  const [[original], [filled]] = [await filledOf('petstore'), await filledOf('restored')];
  tally.lost = animals - (filled?.rows ?? 0);
  tally.expect(filled?.digest === original?.digest, 'restored rows differ');
  const writtenIn = async (database: string) => {
    const sql = `SELECT id, pet::text AS row FROM pet WHERE id > ${animals}`;
    const rows = await server.query<{ id: string; row: string }>(sql, database);
    return new Map(rows.map(({ id, row }) => [BigInt(id), row]));
  };
  const [stored, restored] = [await writtenIn('petstore'), await writtenIn('restored')];
  for (const [id, row] of restored) tally.expect(stored.get(id) === row, 'a restored row differs');
  tally.lost += before.filter((id) => !restored.has(id)).length;
  return (filled?.rows ?? 0) + restored.size;
}

async function checkRestored(service: Service, total: number, tally: Tally): Promise<void> {
  const page = await service.client().listPets({ limit: 1, count: true }).page();
  tally.expect(page.total === total, `the list returned the total ${page.total} for ${total} animals`);
  const { id } = await service.client().createPet({ name: 'Rex', categoryId: 7n });
  tally.expect(id > BigInt(total), `the next animal got the id ${id}`);
}
