import { setMaxListeners } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect } from 'vitest';
import { attacks } from './attacks.js';
import { now } from './clock.js';
import { clientOf, drill, figures, isQuick } from './drill.js';

/** The goal is 1 s; other work of the machine may double it. */
const limitMs = 2000;

drill.for(Object.entries(attacks))(
  'others are served while one client %s',
  { timeout: 120_000 },
  async ([, attack], { annotate, cleanup }) => {
    const server = await PostgresServer.start(cleanup);
    const service = await TestService.start(cleanup, { DATABASE_URL: server.url() });
    await server.query(animals);
    const key = await service.createKey();
    const { slowestMs, failures } = await during(
      (signal) => void attack({ port: service.port, key }, signal),
      service.url,
    );
    await annotate(figures({ 'slowest response in ms': slowestMs, failed: failures.length }));
    expect([...new Set(failures)]).toEqual([]);
    if (!isQuick) expect(slowestMs).toBeLessThanOrEqual(limitMs);
  },
);

/** 100,000 animals that a search reads, and 100 with long names: with JSON escapes, a page of them has 127 KB. */
const animals = `INSERT INTO pet (name, category_id)
  SELECT 'ab' || n || ' ' || md5(n::text), 7 FROM generate_series(1, ${isQuick ? 1000 : 100_000}) AS n
  UNION ALL SELECT repeat(chr(1), 199) || 'x', 7 FROM generate_series(1, 100)`;

interface Outcome {
  slowestMs: number;
  /** The messages of failed requests. */
  failures: string[];
}

/** Sends requests of another client. */
async function during(attack: (signal: AbortSignal) => void, url: string): Promise<Outcome> {
  const stopping = new AbortController();
  // One per connection.
  setMaxListeners(0, stopping.signal);
  attack(stopping.signal);
  const client = clientOf(url, { retries: 0, timeoutMs: 60_000 });
  const requests = [
    () => client.listPets({ limit: 20 }).page(),
    () => client.listPets({ limit: 20, q: 'ab12' }).page(),
    () => client.createPet({ name: 'Rex', categoryId: 7n }),
    () => checkHealth(url),
  ];
  const failures: string[] = [];
  const durationOf = async (send: () => Promise<unknown>) => {
    const begin = now();
    await send().catch((error: Error) => failures.push(error.message));
    return now() - begin;
  };
  const times: Promise<number>[] = [];
  for (const end = now() + (isQuick ? 3000 : 20_000); now() < end; await sleep(100)) {
    times.push(...requests.map((send) => durationOf(send)));
  }
  const slowestMs = Math.max(...(await Promise.all(times)));
  stopping.abort();
  return { slowestMs, failures };
}

/** On a new connection. */
function checkHealth(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
}
