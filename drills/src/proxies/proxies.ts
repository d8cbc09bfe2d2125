import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { readAndReplace, ownProgram } from '../servers/program.js';

/** The path of a configuration of the repository. */
const configurationOf = (file: string) => fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));

export interface ProxyOptions {
  readonly cleanup: Cleanup;
  /** The ports of the services. */
  readonly upstreams: readonly number[];
}

/** A running reverse proxy. */
export interface Proxy {
  readonly name: string;
  readonly port: number;
  /** The PEM certificate that signed the one of the proxy. */
  readonly authority: () => Promise<string>;
}

/** Starts nginx with the configuration of the repository, other ports and a new certificate. */
export async function startNginx({ cleanup, upstreams }: ProxyOptions): Promise<Proxy> {
  const directory = await temporaryDirectory(cleanup);
  const [port, plainPort] = [await freePort(), await freePort()];
  await createCertificate(directory);
  const server = await readAndReplace(configurationOf('nginx/petstore.conf'), {
    'server 127.0.0.1:3000 max_fails=0;': upstreams
      .map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`)
      .join(' '),
    'listen 80': `listen 127.0.0.1:${plainPort}`,
    'listen 443': `listen 127.0.0.1:${port}`,
    'pets.example.com': 'localhost',
    '/etc/ssl/petstore': directory,
  });
  const file = join(directory, 'nginx.conf');
  const main = `daemon off; user root; pid ${directory}/pid; error_log stderr; events {}`;
  await writeFile(file, `${main} http { access_log off; ${server} }`);
  await ownProgram(cleanup, ['nginx', '-c', file, '-p', directory]);
  return { name: 'nginx', port, authority: () => readFile(join(directory, 'fullchain.pem'), 'utf8') };
}

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
  await ownProgram(cleanup, ['caddy', 'run', '--config', configurationOf('caddy/Caddyfile')], variables);
  const root = join(directory, 'caddy/pki/authorities/local/root.crt');
  return { name: 'Caddy', port, authority: () => readFile(root, 'utf8') };
}

/** Starts HAProxy with the configuration of the repository, other ports and a new certificate. */
export async function startHaproxy({ cleanup, upstreams }: ProxyOptions): Promise<Proxy> {
  const directory = await temporaryDirectory(cleanup);
  const [port, plainPort] = [await freePort(), await freePort()];
  await createCertificate(directory);
  const authority = await readFile(join(directory, 'fullchain.pem'), 'utf8');
  const pem = join(directory, 'petstore.pem');
  await writeFile(pem, `${authority}${await readFile(join(directory, 'privkey.pem'), 'utf8')}`);
  const text = await readAndReplace(configurationOf('haproxy/haproxy.cfg'), {
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
  await ownProgram(cleanup, ['haproxy', '-db', '-f', file]);
  return { name: 'HAProxy', port, authority: () => Promise.resolve(authority) };
}

/** Creates `fullchain.pem` and `privkey.pem` for localhost. The certificate signs itself. */
async function createCertificate(directory: string): Promise<void> {
  const [key, certificate] = [join(directory, 'privkey.pem'), join(directory, 'fullchain.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject];
  await promisify(execFile)('openssl', [...options, '-keyout', key, '-out', certificate]);
}
