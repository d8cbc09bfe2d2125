import { readFile, readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';

interface Setup {
  postgres: PostgresServer;
  services: readonly Service[];
  keys: readonly string[];
  /** The output of the services at LOG_LEVEL=trace. */
  written: readonly string[];
}

/** Keys must not appear in a log, error, response or process title. The database stores only their hashes. */
export async function expectHidden({ postgres, services, keys, written }: Setup, tally: Tally): Promise<void> {
  const responses = await Promise.all(services.flatMap((service) => keys.map((key) => misplace(service, key))));
  const titles = await Promise.all(services.map(({ pid }) => titlesOf(pid)));
  const rows = await postgres.query<{ row: string; hash: string }>(
    `SELECT api_key::text AS row, encode(hash, 'hex') AS hash FROM api_key`,
  );
  const sessions = await postgres.query<{ row: string }>('SELECT pg_stat_activity::text AS row FROM pg_stat_activity');
  const places: Record<string, readonly string[]> = {
    log: written,
    response: responses.flat(),
    'process title': titles.flat(),
    'row of api_key': rows.map(({ row }) => row),
    'session of the database': sessions.map(({ row }) => row),
  };
  for (const [place, texts] of Object.entries(places)) {
    tally.expect(texts.length > 0, `there was no ${place} to search`);
    for (const key of keys) tally.expect(!texts.join('\n').includes(key), `a key is in a ${place}`);
  }
  for (const key of keys) {
    const hash = createHash('sha256').update(key).digest('hex');
    tally.expect(
      rows.some((row) => row.hash === hash),
      'the hash of a key is not stored',
    );
  }
}

/** Sends a key in wrong places and returns the responses. */
async function misplace(service: Service, key: string): Promise<string[]> {
  const wrong = { headers: { authorization: `Bearer ${key}x` } };
  const requests: [path: string, init?: RequestInit][] = [
    [`/v1/${key}`],
    [`/v1/pets?key=${key}`],
    [`/v1/pets?${key}=1`],
    [`/v1/pets/${key}`],
    ['/v1/pets', wrong],
    [
      '/v1/pets',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ [key]: key }) },
    ],
    ['/v1/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: key }],
  ];
  return Promise.all(requests.map(async ([path, init]) => (await service.fetch(path, init)).text()));
}

/** The titles of a process and its threads. */
async function titlesOf(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return ['only available on Linux'];
  const threads = await readdir(`/proc/${pid}/task`);
  const files = [`/proc/${pid}/cmdline`, ...threads.map((thread) => `/proc/${pid}/task/${thread}/comm`)];
  return Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
}
