import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { readAndReplace } from '../read-and-replace.js';
import { startProgram } from '../servers/program.js';
import { createCertificate } from './certificate.js';
import type { Proxy, ProxyOptions } from './proxy.js';

const configuration = fileURLToPath(new URL('../../../deploy/haproxy/haproxy.cfg', import.meta.url));

/** Starts HAProxy with the configuration of the repository, other ports and a new certificate. */
export async function startHaproxy({ cleanup, upstreams }: ProxyOptions): Promise<Proxy> {
  const directory = await temporaryDirectory(cleanup);
  const [port, plainPort] = [await freePort(), await freePort()];
  await createCertificate(directory);
  const authority = await readFile(join(directory, 'fullchain.pem'), 'utf8');
  const pem = join(directory, 'petstore.pem');
  await writeFile(pem, `${authority}${await readFile(join(directory, 'privkey.pem'), 'utf8')}`);
  const text = await readAndReplace(configuration, {
    'bind :80': `bind 127.0.0.1:${plainPort}`,
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/haproxy/petstore.pem': pem,
    'user haproxy': '',
    'group haproxy': '',
    'server petstore1 127.0.0.1:3000': upstreams
      .map((upstream) => `server s${upstream} 127.0.0.1:${upstream}`)
      .join('\n    '),
  });
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, text);
  await startProgram(cleanup, ['haproxy', '-db', '-f', file], {});
  return { name: 'HAProxy', port, authority: () => Promise.resolve(authority) };
}
