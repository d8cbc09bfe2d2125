import { residentBytes } from '@petstore/processes/process-usage.js';
import type { Client } from 'pg';
import { addAnimals, listedAnimals, settle } from './animals.js';
import { type Exchange, loadTarget, type Measurement } from './load.js';
import type { Options } from './options.js';
import { figure, goalStatus, median, megabytes, table } from './table.js';
import { authorization, type Context, startService, type Target } from './targets.js';
import { createExchanges, getRequest } from './traffic.js';

interface Page {
  readonly name: string;
  /** The query of the request, with its limit. */
  readonly query: string;
  /** The same animals in SQL: a plain condition and order, without `search_name`. */
  readonly condition: string;
  readonly order?: 'ASC' | 'DESC';
}

const limit = 20;
const rareName = 'Xylophon';

/** One name in 20 is Rex, one family name in 12 begins with "of", one animal in 10,000 is a Xylophon. */
const pages: readonly Page[] = [
  { name: 'first page', query: '', condition: 'true' },
  { name: 'newest', query: '&order=desc', condition: 'true', order: 'DESC' },
  { name: 'frequent word', query: '&q=rex', condition: "name LIKE 'Rex %'" },
  { name: 'short word', query: '&q=of', condition: "name LIKE '% of %'" },
  { name: 'two words, newest', query: '&q=zoe+novak&order=desc', condition: "name = 'Zoë Novák'", order: 'DESC' },
  { name: 'rare word', query: '&q=xylophon', condition: `name LIKE '${rareName} %'` },
  { name: 'absent word', query: '&q=zzyzx', condition: 'false' },
  { name: 'category', query: '&categoryId=7', condition: 'category_id = 7' },
  { name: 'category, newest', query: '&categoryId=7&order=desc', condition: 'category_id = 7', order: 'DESC' },
];

/** Queries whose total is requested. Above 10,000 matches, a search has none. */
const counts = [
  { name: 'count all', query: '', condition: 'true' },
  { name: 'count status', query: '&status=pending', condition: "status = 'pending'" },
  { name: 'count rare', query: '&q=xylophon', condition: `name LIKE '${rareName} %'` },
  { name: 'count frequent', query: '&q=rex', condition: "name LIKE 'Rex %'" },
] as const;
const maxSearchTotal = 10_000;
const maxCounts = 50;

/** A service with its own table of this size. */
interface GrownTable {
  readonly animals: number;
  readonly service: Target;
  readonly fillSeconds: number;
  /** The request for each page, with the animals that it must return. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** The total of each query, as the header must state it. */
  readonly totals: ReadonlyMap<string, string | null>;
  /** By name of a page or count, and round: milliseconds (99th percentile; counts: median). `creates`: per second. */
  readonly measured: Map<string, number[]>;
}

/** On the largest table: milliseconds of a page, and creates relative to the smallest table. */
const goals = { pageMs: 30, creates: 0.6 };

/** Measures the service on tables of different sizes. All services run all the time; one at a time is loaded. */
export async function runGrowth(context: Context, options: Options, log: (line: string) => void): Promise<string> {
  const tables: GrownTable[] = [];
  for (const animals of options.animals.toSorted((a, b) => a - b)) {
    log(`Creating a table of ${animals.toLocaleString('en')} animals.`);
    tables.push(await growTable(context, animals));
  }
  const times = { warmupMs: options.warmupSeconds * 1_000, ms: options.seconds * 1_000 };
  const measure = ({ service }: GrownTable, exchanges: readonly Exchange[], connections: number) =>
    loadTarget(context, service, { connections, exchanges, ...times });
  // Keeps a cold start out of the first measurement.
  for (const grown of tables) await measure(grown, [...grown.exchanges.values()].flat(), 64);
  for (let round = 1; round <= options.rounds; round += 1) {
    log(`Round ${round}.`);
    for (const grown of tables) await measureReads(grown, (exchanges) => measure(grown, exchanges, 1), options.seconds);
  }
  // Creates run after all reads, because they add to the ends of the tables.
  for (let round = 1; round <= options.rounds; round += 1) {
    log(`Creates, round ${round}.`);
    for (const grown of tables) add(grown, 'creates', (await measure(grown, createExchanges(), 64)).requestsPerSecond);
  }
  const memory = tables.map(({ service }) => residentBytes(service.server.pid));
  return `${printTables(tables, memory)}\n\n${printGoals(tables)}`;
}

/** Creates the table. The indexes are created after its rows, because PostgreSQL takes much longer for each row. */
async function growTable(context: Context, animals: number): Promise<GrownTable> {
  const service = await startService(context, `growth_${animals}`);
  const { database } = service;
  const begin = performance.now();
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'pet' AND indexdef NOT LIKE 'CREATE UNIQUE%'`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  await addAnimals(database, { from: 1, to: animals, rareName });
  for (const { definition } of indexes) await database.query(definition);
  await settle(database);
  const fillSeconds = (performance.now() - begin) / 1_000;
  const exchanges = new Map<string, Exchange[]>();
  for (const page of pages) exchanges.set(page.name, [await exchangeOf(database, page)]);
  const totals = new Map<string, string | null>();
  for (const count of counts) totals.set(count.name, await totalOf(database, count));
  return { animals, service, fillSeconds, exchanges, totals, measured: new Map() };
}

async function exchangeOf(database: Client, { query, condition, order = 'ASC' }: Page): Promise<Exchange> {
  const body = await listedAnimals(database, `WHERE ${condition} ORDER BY id ${order} LIMIT ${limit}`);
  return { request: getRequest(`/v1/pets?limit=${limit}${query}`), status: 200, body };
}

async function totalOf(database: Client, { query, condition }: (typeof counts)[number]): Promise<string | null> {
  const { rows } = await database.query<{ total: string }>(`SELECT count(*) AS total FROM pet WHERE ${condition}`);
  const { total } = rows[0] as { total: string };
  return query.includes('q=') && Number(total) > maxSearchTotal ? null : total;
}

async function measureReads(
  grown: GrownTable,
  measure: (exchanges: readonly Exchange[]) => Promise<Measurement>,
  seconds: number,
): Promise<void> {
  for (const [name, exchanges] of grown.exchanges) add(grown, name, (await measure(exchanges)).p99Ms);
  for (const { name, query } of counts) add(grown, name, await timeCount(grown, { name, query }, seconds));
}

function add({ measured }: GrownTable, name: string, value: number): void {
  measured.set(name, [...(measured.get(name) ?? []), value]);
}

/**
 * Requests a total repeatedly for `seconds`, at least once. Returns the median response time in milliseconds.
 * @throws Error when a total is not exact.
 */
async function timeCount(
  { animals, service, totals }: GrownTable,
  { name, query }: { name: string; query: string },
  seconds: number,
): Promise<number> {
  const expected = totals.get(name) ?? null;
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1_000; times.length < maxCounts;) {
    const begin = performance.now();
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/pets?limit=1${query}`, {
      headers: { ...authorization, Prefer: 'count=exact' },
    });
    const body = await response.text();
    times.push(performance.now() - begin);
    const total = response.headers.get('x-total-count');
    if (!response.ok || total !== expected) {
      const received = response.ok ? `the total ${total}` : `${response.status} ${body}`;
      throw new Error(`${name}, ${animals} animals: the service returned ${received} instead of ${expected}.`);
    }
    if (performance.now() > end) break;
  }
  return median(times);
}

/** Medians over the rounds. */
function printTables(tables: readonly GrownTable[], memory: readonly number[]): string {
  const row = (name: string, values: readonly number[], digits = 0) => [
    name,
    ...values.map((value) => figure(value, digits)),
  ];
  const medians = (name: string) => tables.map(({ measured }) => median(measured.get(name) ?? []));
  const rows = [
    ...pages.map(({ name }) => row(`${name}, p99 ms`, medians(name), 1)),
    ...counts.map(({ name }) => row(`${name}, ms`, medians(name), 1)),
    row('creates/s', medians('creates')),
    ['memory, MB', ...memory.map(megabytes)],
    row(
      'filled in s',
      tables.map(({ fillSeconds }) => fillSeconds),
    ),
  ];
  return table(['', ...tables.map(({ animals }) => `${figure(animals)} animals`)], rows);
}

function printGoals(tables: readonly GrownTable[]): string {
  const [smallest, largest] = [tables[0] as GrownTable, tables.at(-1) as GrownTable];
  const slowest = Math.max(...pages.map(({ name }) => median(largest.measured.get(name) ?? [])));
  const of = ({ measured }: GrownTable) => measured.get('creates') ?? [];
  const creates = median(of(largest).map((value, round) => value / (of(smallest)[round] ?? Number.NaN)));
  const rows = [
    ['slowest page, p99 ms', figure(slowest, 1), `≤ ${goals.pageMs}`, goalStatus(slowest <= goals.pageMs)],
    [
      'creates, relative to the smallest',
      figure(creates, 2),
      `≥ ${goals.creates}`,
      goalStatus(creates >= goals.creates),
    ],
  ];
  return table(['largest table', 'measured', 'goal', ''], rows);
}
