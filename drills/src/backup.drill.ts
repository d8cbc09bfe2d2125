import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { runProgram } from '@petstore/processes/program.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { WritingClients } from './clients/writing-clients.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { number, seconds, type Tally } from './tally.js';

const writers = 8;
const chunk = 50_000;

drill(
  'a backup of a million animals while clients write, restored and compared row by row',
  { timeout: 1_200_000 },
  async ({ cleanup, isQuick, animals: given, tally }) => {
    const animals = given ?? (isQuick ? 20_000 : 1_000_000);
    const server = await PostgresServer.start(cleanup);
    const [source, target] = [server.url(), await server.createDatabase('restored')];
    const service = await Service.start(cleanup, { variables: { DATABASE_URL: source } });
    await server.query(`INSERT INTO pet (name, category_id, status, created_at)
    SELECT 'Animal ' || n || E'\\t\\\\', n % 500, (enum_range(NULL::"PetStatus"))[1 + n % 3], now() - n * interval '1 s'
    FROM generate_series(1, ${animals}) AS n`);
    const file = join(await temporaryDirectory(cleanup), 'petstore.backup.gz');
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers, tally });
    await clients.nextAcknowledged();
    const before = new Set(clients.acknowledged.values());
    const backingUp = await run(['backup', file], source);
    const during = clients.acknowledged.size - before.size;
    await clients.finish();
    await run(['migration', 'apply'], target);
    const restore = await run(['restore', file], target);
    const verify = await run(['backup', '--verify', file], source);

    const restored = await compare(server, tally);
    tally.lost = animals - restored.filled + [...before].filter((id) => !restored.ids.has(id)).length;
    await checkRestored(await Service.start(cleanup, { variables: { DATABASE_URL: target } }), restored.total, tally);
    const size = `${((await stat(file)).size / 1e6).toFixed(1)} MB`;
    tally.note(`${number(restored.total)} animals in ${size}, ${number(during)} added during the backup`);
    tally.note(`backup ${seconds(backingUp)}, restore ${seconds(restore)}, verification ${seconds(verify)}`);
  },
);

/** Runs a command of the service. Returns the milliseconds that it took. */
async function run(args: string[], url: string): Promise<number> {
  const begin = performance.now();
  const { code, stderr } = await runProgram('manage.js', args, { DATABASE_URL: url });
  if (code !== 0) throw new Error(`${args[0]} exited with ${String(code)}: ${stderr}`);
  return performance.now() - begin;
}

interface Restored {
  total: number;
  /** The number of animals that existed before the clients wrote. */
  filled: number;
  /** The ids of the animals that the clients wrote. */
  ids: Set<bigint>;
}

/** Compares every restored row with the row of the source. */
async function compare(server: PostgresServer, tally: Tally): Promise<Restored> {
  const [source, target] = [await server.connect(), await server.connect('restored')];
  const restored: Restored = { total: 0, filled: 0, ids: new Set() };
  try {
    for (let last = '0'; ;) {
      const rows = await read(target, `id > ${last} ORDER BY id LIMIT ${chunk}`);
      if (rows.length === 0) return restored;
      const end = rows.at(-1)?.id ?? last;
      const originals = new Map((await read(source, `id > ${last} AND id <= ${end}`)).map(({ id, row }) => [id, row]));
      for (const { id, row } of rows) {
        tally.expect(originals.get(id) === row, 'a restored row differs');
        restored.total += 1;
        if (/^\(\d+,"Animal /.test(row)) restored.filled += 1;
        else restored.ids.add(BigInt(id));
      }
      last = end;
    }
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

async function read(client: Client, range: string): Promise<{ id: string; row: string }[]> {
  const result = await client.query<{ id: string; row: string }>(`SELECT id, pet::text AS row FROM pet WHERE ${range}`);
  return result.rows;
}

async function checkRestored(service: Service, total: number, tally: Tally): Promise<void> {
  const page = await service.client().listPets({ limit: 1, count: true }).page();
  tally.expect(page.total === total, `the list returned the total ${page.total} for ${total} animals`);
  const { id } = await service.client().createPet({ name: 'Rex', categoryId: 7n });
  tally.expect(id > BigInt(total), `the next animal got the id ${id}`);
}
