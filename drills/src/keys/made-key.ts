import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Service, serviceFolder } from '../servers/service.js';

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
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, [`${serviceFolder}keys.js`, ...args], { env });
  return stdout;
}
