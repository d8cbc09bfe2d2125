import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
const backups = 3;
/** The share of the requests that scheduled backups may cost. */
const slowdown = 0.05;

drill(
  'a backup of a million animals while clients write, restored and compared row by row',
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
    const before = new Set(clients.acknowledged.values());
    const backingUp = await run(['backup', file], { DATABASE_URL: source });
    const during = clients.acknowledged.size - before.size;
    await clients.finish();
    await run(['migration', 'apply'], { DATABASE_URL: target });
    const restore = await run(['restore', file], { DATABASE_URL: target });
    const verify = await run(['backup', '--verify', file], { DATABASE_URL: source });

    const restored = await compare(server, tally);
    tally.lost = animals - restored.filled + [...before].filter((id) => !restored.ids.has(id)).length;
    await checkRestored(await Service.start(cleanup, { variables: { DATABASE_URL: target } }), restored.total, tally);
    const size = `${((await stat(file)).size / 1e6).toFixed(1)} MB`;
    tally.note(`${number(restored.total)} animals in ${size}, ${number(during)} added during the backup`);
    tally.note(`backup ${seconds(backingUp)}, restore ${seconds(restore)}, verification ${seconds(verify)}`);
  },
);

drill(
  'scheduled backups of a million animals while clients read and write: throughput with and without',
  { timeout: 900_000 },
  async ({ cleanup, isQuick, animals: given, tally }) => {
    const server = await PostgresServer.start(cleanup);
    const service = await Service.start(cleanup, { variables: { DATABASE_URL: server.url() } });
    await fill(server, given ?? (isQuick ? 20_000 : 1_000_000));
    const directory = await temporaryDirectory(cleanup);
    const load = new MixedLoad(service, tally);
    const pauseMs = isQuick ? 1000 : 20_000;
    await load.rateDuring(sleep(pauseMs));
    const without = [await load.rateDuring(sleep(pauseMs))];
    const during: number[] = [];
    const took: number[] = [];
    while (during.length < (isQuick ? 1 : backups)) {
      const variables = { DATABASE_URL: server.url(), BACKUP_DIRECTORY: join(directory, String(during.length)) };
      const backup = run(['backup', '--scheduled'], variables);
      during.push(await load.rateDuring(backup));
      took.push(await backup);
      without.push(await load.rateDuring(sleep(pauseMs)));
    }
    await load.finish();
    // Compared with the time before and after it, because a machine's speed changes.
    const ratios = during.map((rate, index) => (2 * rate) / ((without[index] ?? 0) + (without[index + 1] ?? 0)));
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
    const limit = `the throughput with a backup is at least ${percent(1 - slowdown)} of the one without`;
    if (isQuick) tally.note(`not checked: ${limit}`);
    else tally.expect(median >= 1 - slowdown, `not true: ${limit}`);
    tally.note(
      `${took.map(seconds).join(', ')} per backup; throughput ${ratios.map(percent).join(', ')} of the one without`,
    );
    tally.note(`${number(Math.round(without[0] ?? 0))} requests/s without`);
  },
);

/** Clients that send four lists and one create in turn, as fast as the service responds. */
class MixedLoad {
  private requests = 0;
  private isFinishing = false;
  private readonly running: Promise<void>[];

  constructor(
    private readonly service: Service,
    private readonly tally: Tally,
  ) {
    this.running = Array.from({ length: writers }, () => this.send());
  }

  /** Returns the requests per second until the work is done. */
  async rateDuring(work: Promise<unknown>): Promise<number> {
    const [begin, before] = [performance.now(), this.requests];
    await work;
    return ((this.requests - before) * 1000) / (performance.now() - begin);
  }

  async finish(): Promise<void> {
    this.isFinishing = true;
    await Promise.all(this.running);
  }

  private async send(): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const create = { method: 'POST', headers, body: '{"name":"Rex","categoryId":7}' };
    for (let turn = 0; !this.isFinishing; turn += 1) {
      const isCreate = turn % 5 === 0;
      const response = await this.service.fetch('/v1/pets', isCreate ? create : {});
      const text = await response.text();
      this.tally.expect(response.ok, `a request returned ${response.status}: ${text.slice(0, 200)}`);
      if (response.status === 201) this.tally.acknowledged += 1;
      this.requests += 1;
    }
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

async function fill(server: PostgresServer, animals: number): Promise<void> {
  await server.query(`INSERT INTO pet (name, category_id, status, created_at)
    SELECT 'Animal ' || n || E'\\t\\\\', n % 500, (enum_range(NULL::"PetStatus"))[1 + n % 3], now() - n * interval '1 s'
    FROM generate_series(1, ${animals}) AS n`);
}

/** Runs a command of the service. Returns the milliseconds that it took. */
async function run(args: string[], variables: Record<string, string>): Promise<number> {
  const begin = performance.now();
  const { code, stderr } = await runProgram('manage.js', args, variables);
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
