import { randomBytes } from 'node:crypto';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import type { Service } from '../servers/service.js';
import { number, type Tally } from '../tally.js';

const perMinute = 60;
const together = 20;
/** Transactions that the service itself starts meanwhile: it polls for changed keys. */
const allowedTransactions = 200;

interface Setup {
  service: Service;
  postgres: PostgresServer;
  tally: Tally;
}

/** Sends unknown keys at full speed, and sometimes a valid key from the same address. Returns the number of unknown keys. */
export async function sendWrongKeys({ service, postgres, tally }: Setup, count: number): Promise<number> {
  const statuses = new Map<number, number>();
  const before = await transactions(postgres);
  const begin = performance.now();
  for (let sent = 0; sent < count; sent += together) {
    for (const status of await Promise.all(Array.from({ length: together }, () => sendWrongKey(service, tally)))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    if (sent % 500 === 0) await expectServed(service, tally);
  }
  const minutes = Math.ceil((performance.now() - begin) / 60_000);
  const unauthorized = statuses.get(401) ?? 0;
  tally.rejected += statuses.get(429) ?? 0;
  tally.expect(unauthorized <= perMinute * (minutes + 1), `${number(unauthorized)} wrong keys were checked`);
  tally.expect(unauthorized + (statuses.get(429) ?? 0) === count, `statuses of wrong keys: ${[...statuses].join(' ')}`);
  const queries = (await transactions(postgres)) - before;
  tally.expect(queries < allowedTransactions, `${number(count)} wrong keys cost ${number(queries)} transactions`);
  return count;
}

async function sendWrongKey(service: Service, tally: Tally): Promise<number> {
  const authorization = `Bearer psk_${randomBytes(32).toString('base64url')}`;
  const response = await service.fetch('/v1/pets', { headers: { authorization } });
  await response.text();
  if (response.status === 429) tally.expect(response.headers.has('retry-after'), 'a 429 has no Retry-After');
  return response.status;
}

async function expectServed(service: Service, tally: Tally): Promise<void> {
  const response = await service.fetch('/v1/nothing');
  await response.text();
  tally.expect(response.status === 404, `a valid key from the same address got ${response.status}`);
}

async function transactions(postgres: PostgresServer): Promise<number> {
  const [row] = await postgres.query<{ count: string }>(
    `SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = 'petstore'`,
  );
  return Number(row?.count ?? 0);
}
