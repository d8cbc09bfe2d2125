import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { startProgram } from '../servers/program.js';
import type { Proxy, ProxyOptions } from './proxy.js';

const configuration = fileURLToPath(new URL('../../../deploy/caddy/Caddyfile', import.meta.url));

/** Starts Caddy with the configuration of the repository and a certificate from Caddy's local authority. */
export async function startCaddy({ cleanup, upstreams }: ProxyOptions): Promise<Proxy> {
  const directory = await temporaryDirectory(cleanup);
  const port = await freePort();
  const variables = {
    HOME: directory,
    XDG_DATA_HOME: directory,
    CADDY_ADMIN: `unix/${join(directory, 'admin.sock')}`,
    PETSTORE_HTTP_PORT: String(await freePort()),
    PETSTORE_HTTPS_PORT: String(port),
    PETSTORE_UPSTREAM: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
  };
  await startProgram(cleanup, ['caddy', 'run', '--config', configuration], variables);
  const root = join(directory, 'caddy/pki/authorities/local/root.crt');
  return { name: 'Caddy', port, authority: () => readFile(root, 'utf8') };
}
