import { residentBytes } from '@petstore/processes/process-usage.js';
import { addAnimals, settle } from './animals.js';
import { type Exchange, loadTarget, type Measurement } from './load.js';
import type { Options } from './options.js';
import { figure, goalStatus, median, megabytes, table } from './table.js';
import { authorization, type Context, startService, type Target } from './targets.js';
import { createExchanges, listExchanges, type PageRequest, type Place, walk } from './traffic.js';

const pagePlaces = ['first', 'middle', 'last'] as const;
type PagePlace = (typeof pagePlaces)[number];

/** A service with its own table of this size. */
interface GrownTable {
  readonly animals: number;
  readonly service: Target;
  readonly pages: Readonly<Record<PagePlace, readonly PageRequest[]>>;
  readonly fillSeconds: number;
  /** By round: milliseconds of a page for a single client, creates per second of 64 clients, milliseconds of a count. */
  readonly measured: Readonly<Record<PagePlace | 'creates' | 'count', number[]>>;
}

type Measure = (grown: GrownTable, page: readonly Exchange[], connections: number) => Promise<Measurement>;

/** Cost on the largest table relative to the smallest, except for the count. */
const goals = { page: 1.2, create: 1.3, memory: 1.1, countMs: 20 };
const maxCounts = 50;
const limit = 20;
const filters = [undefined, 'available'] as const;

/** Measures the service on tables of different sizes. All services run all the time; one at a time is loaded. */
export async function runGrowth(context: Context, options: Options, log: (line: string) => void): Promise<string> {
  const tables: GrownTable[] = [];
  for (const animals of options.animals.toSorted((a, b) => a - b)) {
    log(`Creating a table of ${animals.toLocaleString('en')} animals.`);
    tables.push(await growTable(context, animals));
  }
  const times = { warmupMs: options.warmupSeconds * 1_000, ms: options.seconds * 1_000 };
  const measure: Measure = ({ service }, exchanges, connections) =>
    loadTarget(context, service, { connections, exchanges, ...times });
  // Keeps a cold start out of the first measurement.
  for (const grown of tables) await measure(grown, await exchangesOf(grown, pagePlaces), 64);
  const inRounds = async (run: (grown: GrownTable) => Promise<void>) => {
    for (let round = 1; round <= options.rounds; round += 1) {
      log(`Round ${round}.`);
      for (const grown of tables) await run(grown);
    }
  };
  await inRounds(async (grown) => {
    for (const place of pagePlaces) {
      grown.measured[place].push((await measure(grown, await exchangesOf(grown, [place]), 1)).p50Ms);
    }
    grown.measured.count.push(await timeCount(grown, options.seconds));
  });
  // Creates run after all reads, because they add to the ends of the tables.
  await inRounds(async (grown) => {
    grown.measured.creates.push((await measure(grown, createExchanges(), 64)).requestsPerSecond);
  });
  for (const grown of tables) await timeCount(grown, 0);
  const memory = tables.map(({ service }) => residentBytes(service.server.pid));
  return `${printTables(tables, memory)}\n\n${printGoals(tables, memory)}`;
}

function exchangesOf({ service, pages }: GrownTable, places: readonly PagePlace[]): Promise<Exchange[]> {
  const requests = places.flatMap((place) => pages[place]);
  return listExchanges(service, requests, service.database);
}

/** Creates the table and finds pages at its start, middle and end. */
async function growTable(context: Context, animals: number): Promise<GrownTable> {
  const service = await startService(context, `growth_${animals}`);
  const { database } = service;
  // The animals of the middle and the end come first: a short walk then returns the cursors for these places.
  const middle = Math.floor(animals / 2);
  const around = { from: middle - 99, to: middle + 100 };
  const end = { from: animals - 159, to: animals };
  for (const range of [around, end]) await addAnimals(database, range);
  await database.query(`UPDATE pet SET status = 'available'`);
  const places = await Promise.all(filters.map((status) => walk(service, { status, limit })));
  const begin = performance.now();
  await addAnimals(database, { from: 1, to: around.from - 1 });
  await addAnimals(database, { from: around.to + 1, to: end.from - 1 });
  await settle(database);
  const pageAfter = (place: Place | undefined) => ({ status: place?.status, limit, place });
  const pages = {
    first: filters.map((status) => ({ status, limit, place: undefined })),
    middle: places.map((found) => pageAfter(found[100 / limit - 1])),
    last: places.map((found) => pageAfter(found.at(-1))),
  };
  const fillSeconds = (performance.now() - begin) / 1_000;
  return {
    animals,
    service,
    pages,
    fillSeconds,
    measured: { first: [], middle: [], last: [], creates: [], count: [] },
  };
}

/**
 * Requests the total repeatedly for `seconds`, at least once. Returns the median response time in milliseconds.
 * @throws Error when a total is not exact.
 */
async function timeCount({ animals, service }: GrownTable, seconds: number): Promise<number> {
  const { rows } = await service.database.query<{ count: string }>('SELECT count(*) FROM pet');
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1_000; times.length < maxCounts;) {
    const begin = performance.now();
    const response = await fetch(`http://127.0.0.1:${service.server.port}/v1/pets?limit=1`, {
      headers: { ...authorization, Prefer: 'count=exact' },
    });
    const body = await response.text();
    times.push(performance.now() - begin);
    const total = response.headers.get('x-total-count');
    if (total !== rows[0]?.count) {
      const received = response.ok ? `the total ${total}` : `${response.status} ${body}`;
      throw new Error(`A table of ${animals} animals: the service returned ${received} instead of ${rows[0]?.count}.`);
    }
    if (performance.now() > end) break;
  }
  return median(times);
}

/** Medians over the rounds. */
function printTables(tables: readonly GrownTable[], memory: readonly number[]): string {
  const rows = tables.map(({ animals, fillSeconds, measured }, index) => [
    figure(animals),
    figure(fillSeconds),
    ...pagePlaces.map((place) => figure(median(measured[place]), 2)),
    figure(median(measured.creates)),
    figure(median(measured.count), 1),
    megabytes(memory[index] ?? 0),
  ]);
  const head = ['animals', 'filled s', 'first ms', 'middle ms', 'last ms', 'creates/s', 'count ms', 'memory MB'];
  return table(head, rows);
}

/** Ratios compare with the first page and the creates of the smallest table, round by round. */
function printGoals(tables: readonly GrownTable[], memory: readonly number[]): string {
  const [{ measured: smallest }] = tables as [GrownTable];
  const ratio = (values: readonly number[], others: readonly number[]) =>
    median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
  const pages = tables.flatMap(({ measured }) => pagePlaces.map((place) => ratio(measured[place], smallest.first)));
  const creates = tables.map(({ measured }) => ratio(smallest.creates, measured.creates));
  const counts = tables.map(({ measured }) => median(measured.count));
  const costs: [cost: string, value: number, goal: number][] = [
    ['page time, relative to the first page of the smallest table', Math.max(...pages), goals.page],
    ['create time, relative to the smallest table', Math.max(...creates), goals.create],
    ['memory, maximum relative to minimum', Math.max(...memory) / Math.min(...memory), goals.memory],
    ['time of a count in ms', Math.max(...counts), goals.countMs],
  ];
  const rows = costs.map(([cost, value, goal]) => [cost, figure(value, 2), `≤ ${goal}`, goalStatus(value <= goal)]);
  return table(['cost', 'worst', 'goal', ''], rows);
}
