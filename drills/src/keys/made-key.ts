import { runProgram } from '@petstore/processes/program.js';
import type { Service } from '../servers/service.js';

export interface MadeKey {
  id: number;
  key: string;
}

/** Makes a key by the keys command, as a person does. */
export async function makeKey(service: Service, options: readonly string[]): Promise<MadeKey> {
  return JSON.parse(await runKeys(service, ['create', '--json', ...options])) as MadeKey;
}

export async function revokeKey(service: Service, { id }: MadeKey): Promise<void> {
  await runKeys(service, ['revoke', String(id)]);
}

async function runKeys({ variables }: Service, args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runProgram('keys.js', args, variables);
  if (code !== 0) throw new Error(`keys.js ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}
