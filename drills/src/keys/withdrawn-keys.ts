import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.js';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import type { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';
import { makeKey, revokeKey } from './made-key.js';

const refusedMs = 5000;

/** A revoked and an expired key are refused within 5 s by every process; after how many milliseconds, at most. */
export async function expectRefusedSoon(
  services: readonly Service[],
  postgres: PostgresServer,
  tally: Tally,
): Promise<number> {
  const [first] = services;
  if (!first) return 0;
  const [revoked, expired] = await Promise.all(['revoked', 'expired'].map((name) => makeKey(first, ['--name', name])));
  if (!revoked || !expired) return 0;
  await sleep(1000);
  for (const service of services) {
    for (const { key } of [revoked, expired]) {
      tally.expect((await statusWith(service, key)) === 200, 'a new key did not work within 1 s');
    }
  }
  await revokeKey(first, revoked);
  // As if its time had come; the shortest that the command takes is a minute.
  await postgres.query(`UPDATE api_key SET expires_at = now() WHERE id = ${expired.id}`);
  const times = services.flatMap((service) => [revoked, expired].map(({ key }) => untilRefused(service, key)));
  const slowest = Math.max(...(await Promise.all(times)));
  tally.expect(slowest <= refusedMs, `a withdrawn key was refused after ${seconds(slowest)}`);
  return slowest;
}

async function untilRefused(service: Service, key: string): Promise<number> {
  const begin = now();
  while ((await statusWith(service, key)) !== 401 && now() - begin < 2 * refusedMs) await sleep(50);
  return now() - begin;
}

/** 429 says that the key is not known either: too many of those came before. */
async function statusWith(service: Service, key: string): Promise<number> {
  const answer = await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${key}` } });
  const { code } = answer.ok ? { code: '' } : ((await answer.json()) as { code: string });
  if (answer.ok) await answer.text();
  return code === 'rate_limited' ? 401 : answer.status;
}
