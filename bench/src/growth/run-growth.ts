import type { Exchange } from '../load/load-job.js';
import { type Load, loadTarget } from '../measure/load-target.js';
import { residentBytes } from '@petstore/processes/process-usage.js';
import type { Options } from '../options.js';
import type { Ground } from '../targets/start-targets.js';
import { listExchanges } from '../traffic/list-traffic.js';
import { createExchanges } from '../traffic/pet-traffic.js';
import { timeCount } from './count-check.js';
import { type GrowthReport, type GrowthRound, toRows } from './growth-report.js';
import { type GrownTable, growTable, type PagePlace } from './grown-table.js';

/** Turns with and without counting to each round of the rest: what it costs is less than what two turns differ by. */
const countingTurns = 4;

const counting = { off: 'ALTER TABLE pet DISABLE TRIGGER USER', on: 'ALTER TABLE pet ENABLE TRIGGER USER' };

/** The service alone, on tables of different sizes. All are up all the time, and one at a time is loaded. */
export async function runGrowth(ground: Ground, options: Options, say: (line: string) => void): Promise<GrowthReport> {
  const tables: GrownTable[] = [];
  for (const animals of options.animals.toSorted((a, b) => a - b)) {
    say(`Making a table of ${animals.toLocaleString('en')} animals`);
    tables.push(await growTable(ground, animals));
  }
  const growth = new Growth(ground, options);
  for (const table of tables) await growth.warmUp(table);
  const rounds = await growth.interleave(tables, say, (table) => growth.read(table));
  // After all reads: they add to the ends of the tables.
  const creates = await growth.interleave(tables, say, (table) => growth.create(table));
  for (const table of tables) await timeCount(table, 0);
  const grown = tables.map((table, index) => ({
    table,
    rounds: rounds[index] ?? [],
    creates: creates[index] ?? [],
    residentBytes: residentBytes(table.service.server.pid),
  }));
  return { rows: toRows(grown), countingRatios: await growth.compareCounting(tables.at(-1), say) };
}

class Growth {
  readonly #creates = createExchanges();

  constructor(
    private readonly ground: Ground,
    private readonly options: Options,
  ) {}

  /** What `measure` finds, by table and then by round; tables take turns. */
  async interleave<Found>(
    tables: readonly GrownTable[],
    say: (line: string) => void,
    measure: (table: GrownTable) => Promise<Found>,
  ): Promise<Found[][]> {
    const found = tables.map((): Found[] => []);
    for (let round = 1; round <= this.options.rounds; round += 1) {
      for (const [index, table] of tables.entries()) {
        say(`round ${round}: ${table.animals.toLocaleString('en')} animals`);
        found[index]?.push(await measure(table));
      }
    }
    return found;
  }

  /** The first to be measured shall not pay for a cold start. */
  async warmUp({ service, pages }: GrownTable): Promise<void> {
    const all = await listExchanges(service, Object.values(pages).flat(), service.database);
    await loadTarget(service, this.#load(64, all), await this.ground.postgres.pid());
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
    return (await loadTarget(service, this.#load(64, this.#creates), await this.ground.postgres.pid()))
      .requestsPerSecond;
  }

  /** Creates a second with counting, divided by those without; by round. Totals are wrong afterwards. */
  async compareCounting(table: GrownTable | undefined, say: (line: string) => void): Promise<number[]> {
    const ratios: number[] = [];
    if (!table) return ratios;
    for (let round = 1; round <= this.options.rounds * countingTurns; round += 1) {
      say(`round ${round}: creates with and without counting`);
      // Each is the first in every other round, because who comes later meets a warmer service.
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
    return (await loadTarget(service, this.#load(1, exchanges), await this.ground.postgres.pid())).p50Ms;
  }

  #load(connections: number, exchanges: readonly Exchange[]): Load {
    const { warmupSeconds, seconds } = this.options;
    return { connections, exchanges, warmupMs: warmupSeconds * 1_000, durationMs: seconds * 1_000 };
  }
}
