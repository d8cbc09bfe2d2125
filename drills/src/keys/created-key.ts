import { runProgram } from '@petstore/processes/program.js';
import type { Service } from '../servers/service.js';

export interface CreatedKey {
  id: number;
  key: string;
}

/** Creates a key with the keys command. */
export async function createKey(service: Service, options: readonly string[]): Promise<CreatedKey> {
  return JSON.parse(await runKeys(service, ['create', '--json', ...options])) as CreatedKey;
}

export async function revokeKey(service: Service, { id }: CreatedKey): Promise<void> {
  await runKeys(service, ['revoke', String(id)]);
}

async function runKeys({ variables }: Service, args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runProgram('manage.js', ['keys', ...args], variables);
  if (code !== 0) throw new Error(`keys ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}
