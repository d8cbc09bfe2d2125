import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import { runProgram } from '@petstore/processes/program.js';
import { now } from '../clock.js';
import type { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';

interface CreatedKey {
  id: number;
  key: string;
}

/** Creates a key with the keys command. */
export async function createKey(service: Service, options: readonly string[]): Promise<CreatedKey> {
  return JSON.parse(await runKeys(service, ['create', '--json', ...options])) as CreatedKey;
}

async function revokeKey(service: Service, { id }: CreatedKey): Promise<void> {
  await runKeys(service, ['revoke', String(id)]);
}

async function runKeys({ variables }: Service, args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runProgram('manage.js', ['keys', ...args], variables);
  if (code !== 0) throw new Error(`keys ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

const rejectedMs = 5000;

/** Every process must reject a revoked or expired key within 5 s. Returns the longest time in milliseconds. */
export async function expectRejectedSoon(
  services: readonly Service[],
  postgres: Pick<PostgresServer, 'query'>,
  tally: Tally,
): Promise<number> {
  const [first] = services;
  if (!first) return 0;
  const [revoked, expired] = await Promise.all(
    ['revoked', 'expired'].map((name) => createKey(first, ['--name', name])),
  );
  if (!revoked || !expired) return 0;
  await sleep(1000);
  for (const service of services) {
    for (const { key } of [revoked, expired]) {
      tally.expect((await statusWith(service, key)) === 200, 'a new key did not work within 1 s');
    }
  }
  await revokeKey(first, revoked);
  // The command's shortest expiry is a minute.
  await postgres.query(`UPDATE api_key SET expires_at = now() WHERE id = ${expired.id}`);
  const times = services.flatMap((service) => [revoked, expired].map(({ key }) => untilRejected(service, key)));
  const slowest = Math.max(...(await Promise.all(times)));
  tally.expect(slowest <= rejectedMs, `a revoked or expired key was rejected after ${seconds(slowest)}`);
  return slowest;
}

async function untilRejected(service: Service, key: string): Promise<number> {
  const begin = now();
  while ((await statusWith(service, key)) !== 401 && now() - begin < 2 * rejectedMs) await sleep(50);
  return now() - begin;
}

/** 429 also means an unknown key: too many of them were sent before. */
async function statusWith(service: Service, key: string): Promise<number> {
  const response = await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${key}` } });
  const { code } = response.ok ? { code: '' } : ((await response.json()) as { code: string });
  if (response.ok) await response.text();
  return code === 'rate_limited' ? 401 : response.status;
}
