import { readFile, readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';

interface Stage {
  postgres: PostgresServer;
  services: readonly Service[];
  keys: readonly string[];
  /** All that the services wrote, at LOG_LEVEL=trace. */
  written: readonly string[];
}

/** Keys are in no log, error, answer or process title, and the database has only hashes of them. */
export async function expectHidden({ postgres, services, keys, written }: Stage, tally: Tally): Promise<void> {
  const answers = await Promise.all(services.flatMap((service) => keys.map((key) => misplace(service, key))));
  const titles = await Promise.all(services.map(({ pid }) => titlesOf(pid)));
  const rows = await postgres.query<{ row: string; hash: string }>(
    `SELECT api_key::text AS row, encode(hash, 'hex') AS hash FROM api_key`,
  );
  const sessions = await postgres.query<{ row: string }>('SELECT pg_stat_activity::text AS row FROM pg_stat_activity');
  const places: Record<string, readonly string[]> = {
    log: written,
    answer: answers.flat(),
    'process title': titles.flat(),
    'row of api_key': rows.map(({ row }) => row),
    'session of the database': sessions.map(({ row }) => row),
  };
  for (const [place, texts] of Object.entries(places)) {
    tally.expect(texts.length > 0, `there was no ${place} to look at`);
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

/** Sends a key where it does not belong; what comes back. */
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

/** How its threads and it itself are called, where the system says so. */
async function titlesOf(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return ['not known here'];
  const threads = await readdir(`/proc/${pid}/task`);
  const files = [`/proc/${pid}/cmdline`, ...threads.map((thread) => `/proc/${pid}/task/${thread}/comm`)];
  return Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
}
