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

/** Turns with and without triggers to each round of the rest: what they cost is less than what two turns differ by. */
const triggerTurns = 4;

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
  return { rows: toRows(grown), triggerRatios: await growth.compareTriggers(tables.at(-1), say) };
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
    await loadTarget(service, this.#load(64, all), this.ground.databases.pid);
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
    return (await loadTarget(service, this.#load(64, this.#creates), this.ground.databases.pid)).requestsPerSecond;
  }

  /** What the triggers of a table, such as those that count, cost its creates. May leave them off. */
  async compareTriggers(table: GrownTable | undefined, say: (line: string) => void): Promise<number[] | undefined> {
    if (!table) return undefined;
    const { database } = table.service;
    const { rowCount } = await database.query(
      `SELECT FROM pg_trigger WHERE tgrelid = 'pet'::regclass AND NOT tgisinternal`,
    );
    if (rowCount === 0) return undefined;
    const actions = ['ENABLE', 'DISABLE'] as const;
    const ratios: number[] = [];
    for (let round = 1; round <= this.options.rounds * triggerTurns; round += 1) {
      say(`round ${round}: creates with and without triggers`);
      const found = { ENABLE: 0, DISABLE: 0 };
      // Each is the first in every other round, because who comes later meets a warmer service.
      for (const action of round % 2 ? actions : actions.toReversed()) {
        await database.query(`ALTER TABLE pet ${action} TRIGGER USER`);
        found[action] = await this.create(table);
      }
      ratios.push(found.ENABLE / found.DISABLE);
    }
    return ratios;
  }

  async #page({ service, pages }: GrownTable, place: PagePlace): Promise<number> {
    const exchanges = await listExchanges(service, pages[place], service.database);
    return (await loadTarget(service, this.#load(1, exchanges), this.ground.databases.pid)).p50Ms;
  }

  #load(connections: number, exchanges: readonly Exchange[]): Load {
    const { warmupSeconds, seconds } = this.options;
    return { connections, exchanges, warmupMs: warmupSeconds * 1_000, durationMs: seconds * 1_000 };
  }
}
