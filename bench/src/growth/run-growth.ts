import type { Exchange } from '../load/load-job.js';
import { type Load, loadTarget } from '../measure/load-target.js';
import { residentBytes } from '@petstore/processes/process-usage.js';
import type { Options } from '../options.js';
import type { Context } from '../targets/start-targets.js';
import { listExchanges } from '../traffic/list-traffic.js';
import { createExchanges } from '../traffic/pet-traffic.js';
import { timeCount } from './count-check.js';
import { type GrowthReport, type GrowthRound, toRows } from './growth-report.js';
import { type GrownTable, growTable, type PagePlace } from './grown-table.js';

/** More turns per round than the other measurements have, because the cost of counting is smaller than their variation. */
const countingTurns = 4;

const counting = { off: 'ALTER TABLE pet DISABLE TRIGGER USER', on: 'ALTER TABLE pet ENABLE TRIGGER USER' };

/** Measures the service on tables of different sizes. All services run all the time; one at a time is loaded. */
export async function runGrowth(
  context: Context,
  options: Options,
  log: (line: string) => void,
): Promise<GrowthReport> {
  const tables: GrownTable[] = [];
  for (const animals of options.animals.toSorted((a, b) => a - b)) {
    log(`Creating a table of ${animals.toLocaleString('en')} animals.`);
    tables.push(await growTable(context, animals));
  }
  const growth = new Growth(context, options);
  for (const table of tables) await growth.warmUp(table);
  const rounds = await growth.interleave(tables, log, (table) => growth.read(table));
  // Creates run after all reads, because they add to the ends of the tables.
  const creates = await growth.interleave(tables, log, (table) => growth.create(table));
  for (const table of tables) await timeCount(table, 0);
  const grown = tables.map((table, index) => ({
    table,
    rounds: rounds[index] ?? [],
    creates: creates[index] ?? [],
    residentBytes: residentBytes(table.service.server.pid),
  }));
  return { rows: toRows(grown), countingRatios: await growth.compareCounting(tables.at(-1), log) };
}

class Growth {
  readonly #creates = createExchanges();

  constructor(
    private readonly context: Context,
    private readonly options: Options,
  ) {}

  /** Measures all tables in turns. Returns the results by table, then by round. */
  async interleave<Found>(
    tables: readonly GrownTable[],
    log: (line: string) => void,
    measure: (table: GrownTable) => Promise<Found>,
  ): Promise<Found[][]> {
    const found = tables.map((): Found[] => []);
    for (let round = 1; round <= this.options.rounds; round += 1) {
      for (const [index, table] of tables.entries()) {
        log(`Round ${round}: ${table.animals.toLocaleString('en')} animals.`);
        found[index]?.push(await measure(table));
      }
    }
    return found;
  }

  /** Keeps a cold start out of the first measurement. */
  async warmUp({ service, pages }: GrownTable): Promise<void> {
    const all = await listExchanges(service, Object.values(pages).flat(), service.database);
    await loadTarget(service, this.#load(64, all), await this.context.postgres.pid());
  }

  async read(table: GrownTable): Promise<GrowthRound> {
    const pages = {
      first: await this.#page(table, 'first'),
      middle: await this.#page(table, 'middle'),
      last: await this.#page(table, 'last'),
    };
    return { pages, countMs: await timeCount(table, this.options.seconds) };
  }

  async create({ service }: GrownTable): Promise<number> {
    return (await loadTarget(service, this.#load(64, this.#creates), await this.context.postgres.pid()))
      .requestsPerSecond;
  }

  /** Creates per second with counting divided by those without, by round. Totals are wrong afterwards. */
  async compareCounting(table: GrownTable | undefined, log: (line: string) => void): Promise<number[]> {
    const ratios: number[] = [];
    if (!table) return ratios;
    for (let round = 1; round <= this.options.rounds * countingTurns; round += 1) {
      log(`Round ${round}: creates with and without counting.`);
      // The order alternates, because the second measurement finds a warmer service.
      const early = round % 2 === 1 ? await this.create(table) : undefined;
      const without = await this.createUncounted(table);
      ratios.push((early ?? (await this.create(table))) / without);
    }
    return ratios;
  }

  async createUncounted(table: GrownTable): Promise<number> {
    const { database } = table.service;
    await database.query(counting.off);
    const found = await this.create(table);
    await database.query(counting.on);
    return found;
  }

  async #page({ service, pages }: GrownTable, place: PagePlace): Promise<number> {
    const exchanges = await listExchanges(service, pages[place], service.database);
    return (await loadTarget(service, this.#load(1, exchanges), await this.context.postgres.pid())).p50Ms;
  }

  #load(connections: number, exchanges: readonly Exchange[]): Load {
    const { warmupSeconds, seconds } = this.options;
    return { connections, exchanges, warmupMs: warmupSeconds * 1_000, durationMs: seconds * 1_000 };
  }
}
