import { runProgram } from '@petstore/processes/program.js';
import { vi } from 'vitest';
import type { Service } from '../servers/service.js';

interface CreatedKey {
  id: number;
  key: string;
}

/** Within this time, a service accepts a new key and rejects a revoked one. */
const noticeMs = 5000;

/** Creates a key with the keys command, and waits until this service accepts it. */
export async function createKey(service: Service, scopes = 'read,write'): Promise<CreatedKey> {
  const output = await runKeys(service, ['create', '--json', '--name', 'drill', '--scopes', scopes]);
  const created = JSON.parse(output) as CreatedKey;
  await untilStatus(service, created.key, 200);
  return created;
}

/** Runs the keys command. Returns what it prints. */
export async function runKeys({ variables }: Service, args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runProgram('manage.js', ['keys', ...args], variables);
  if (code !== 0) throw new Error(`keys ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

/** Waits up to 5 s until the service responds with this status to the key. Returns the milliseconds. */
export async function untilStatus(service: Service, key: string, expected: number): Promise<number> {
  const begin = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  const isExpected = async () => {
    const response = await service.fetch('/v1/pets?limit=1', { headers });
    await response.text();
    return response.status === expected;
  };
  await vi.waitUntil(isExpected, { timeout: noticeMs, interval: 50 });
  return performance.now() - begin;
}
