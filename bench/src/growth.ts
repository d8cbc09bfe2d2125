import { load, type LoadResult } from './load.js';
import { figure, median, table } from './table.js';
import { addAnimals, type Context, type Options, startService, type Target } from './targets.js';
import { createRequests, getRequest } from './traffic.js';

/** A row of the table. */
interface Measure {
  name: string;
  figure: keyof LoadResult;
  connections: number;
  requests: readonly string[];
}

const defaultRounds = 10;
const times = { ms: 600, warmupMs: 400 };
const sizes = [10_000, 10_000_000];

const page = (name: string, query = ''): Measure => {
  const requests = [getRequest(`/v1/pets?limit=20${query}`)];
  return { name: `${name}, p99 ms`, figure: 'p99Ms', connections: 1, requests };
};
const count = (name: string, query = ''): Measure => {
  const requests = [getRequest(`/v1/pets?limit=1${query}`, 'Prefer: count=exact\r\n')];
  return { name: `count ${name}, ms`, figure: 'p50Ms', connections: 1, requests };
};

/** One name in 20 is Rex, one animal in 10,000 is a Xylophon. */
const measures: readonly Measure[] = [
  page('first page'),
  page('newest', '&order=desc'),
  page('frequent word', '&q=rex'),
  page('two words, newest', '&q=zoe+novak&order=desc'),
  page('rare word', '&q=xylophon'),
  page('category', '&categoryId=7'),
  page('category, newest', '&categoryId=7&order=desc'),
  count('all'),
  count('rare word', '&q=xylophon'),
  // Last, because they add to the ends of the tables.
  { name: 'creates/s', figure: 'perSecond', connections: 64, requests: createRequests() },
];

/** Measures the service on tables of different sizes. All services run all the time; one at a time is loaded. */
export async function runGrowth(context: Context, { only, rounds = defaultRounds }: Options): Promise<string> {
  const services: Target[] = [];
  for (const animals of sizes) services.push(await fillService(context, animals));
  const rows: string[][] = [];
  for (const { name, figure: metric, ...request } of measures) {
    if (!name.includes(only)) continue;
    const results = services.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, service] of services.entries()) {
        results[index]?.push((await load(service, { ...request, ...times }))[metric]);
      }
    }
    const row = [name, ...results.map((values) => figure(median(values), metric === 'perSecond' ? 0 : 1))];
    console.error(row.join('  '));
    rows.push(row);
  }
  const text = table(['', ...sizes.map((animals) => `${figure(animals)} animals`)], rows);
  return `${text}\n\nGoals on the largest table: pages within 30 ms, and 60 % of the creates of the smallest table.`;
}

/** The indexes are created after the rows, because PostgreSQL takes much longer for each row. */
async function fillService(context: Context, animals: number): Promise<Target> {
  console.error(`Creating a table of ${figure(animals)} animals.`);
  const service = await startService(context, `growth_${animals}`);
  const { database } = service;
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'pet' AND indexdef NOT LIKE 'CREATE UNIQUE%'`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  await addAnimals(database, animals, 'Xylophon');
  for (const { definition } of indexes) await database.query(definition);
  await database.query('VACUUM (ANALYZE) pet');
  return service;
}
