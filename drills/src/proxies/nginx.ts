import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { readAndReplace } from '../read-and-replace.js';
import { startProgram } from '../servers/program.js';
import { createCertificate } from './certificate.js';
import type { Proxy, ProxyOptions } from './proxy.js';

const configuration = fileURLToPath(new URL('../../../deploy/nginx/petstore.conf', import.meta.url));

/** Starts nginx with the configuration of the repository, other ports and a new certificate. */
export async function startNginx({ cleanup, upstreams }: ProxyOptions): Promise<Proxy> {
  const directory = await temporaryDirectory(cleanup);
  const [port, plainPort] = [await freePort(), await freePort()];
  await createCertificate(directory);
  const server = await readAndReplace(configuration, {
    'server 127.0.0.1:3000 max_fails=0;': upstreams
      .map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`)
      .join(' '),
    'listen 80': `listen 127.0.0.1:${plainPort}`,
    'listen 443': `listen 127.0.0.1:${port}`,
    'pets.example.com': 'localhost',
    '/etc/ssl/petstore': directory,
  });
  const file = join(directory, 'nginx.conf');
  await writeFile(file, mainConfiguration(directory, server));
  await startProgram(cleanup, ['nginx', '-c', file, '-p', directory], {});
  return { name: 'nginx', port, authority: () => readFile(join(directory, 'fullchain.pem'), 'utf8') };
}

function mainConfiguration(directory: string, server: string): string {
  return `daemon off; user root; pid ${directory}/pid; error_log stderr; events {} http { access_log off; ${server} }`;
}
