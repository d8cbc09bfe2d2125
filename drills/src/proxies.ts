import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { freePort } from '@petstore/test-kit/program.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { startProgram } from './drill.js';

/** Starts a proxy with the configuration of the repository, other ports and a new certificate. Returns its port. */
export const proxies = { nginx: startNginx, Caddy: startCaddy, HAProxy: startHaproxy };

async function startNginx(cleanup: Cleanup, upstreams: readonly number[]): Promise<number> {
  const directory = await createCertificate(cleanup);
  const port = await freePort();
  const server = await readAndReplace('nginx/petstore.conf', {
    'server 127.0.0.1:3000 max_fails=0;': upstreams.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' '),
    'listen 80': `listen 127.0.0.1:${await freePort()}`,
    'listen 443': `listen 127.0.0.1:${port}`,
    'pets.example.com': 'localhost',
    '/etc/ssl/petstore': directory,
  });
  const main = `daemon off; user root; pid ${directory}/pid; error_log stderr; events {}`;
  const file = join(directory, 'nginx.conf');
  await writeFile(file, `${main} http { access_log off; ${server} }`);
  await startProgram(cleanup, ['nginx', '-c', file, '-p', directory]);
  return port;
}

async function startCaddy(cleanup: Cleanup, upstreams: readonly number[]): Promise<number> {
  const directory = await temporaryDirectory(cleanup);
  const port = await freePort();
  // Without HTTP/3, because a UDP socket claims the port. Caddy 2.6 does not know the variable CADDY_ADMIN.
  const text = await readAndReplace('caddy/Caddyfile', {
    'servers {': `admin unix/${join(directory, 'admin.sock')}\n\tservers {\n\t\tprotocols h1 h2`,
  });
  const file = join(directory, 'Caddyfile');
  await writeFile(file, text);
  await startProgram(cleanup, ['caddy', 'run', '--config', file], {
    HOME: directory,
    XDG_DATA_HOME: directory,
    PETSTORE_HTTP_PORT: String(await freePort()),
    PETSTORE_HTTPS_PORT: String(port),
    PETSTORE_UPSTREAM: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
  });
  return port;
}

async function startHaproxy(cleanup: Cleanup, upstreams: readonly number[]): Promise<number> {
  const directory = await createCertificate(cleanup);
  const port = await freePort();
  const pem = join(directory, 'petstore.pem');
  const parts = ['fullchain.pem', 'privkey.pem'].map((name) => readFile(join(directory, name), 'utf8'));
  await writeFile(pem, (await Promise.all(parts)).join(''));
  const text = await readAndReplace('haproxy/haproxy.cfg', {
    'bind :80': `bind 127.0.0.1:${await freePort()}`,
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/haproxy/petstore.pem': pem,
    'user haproxy': '',
    'group haproxy': '',
    'server petstore1 127.0.0.1:3000': upstreams.map((one) => `server s${one} 127.0.0.1:${one}`).join('\n    '),
  });
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, text);
  await startProgram(cleanup, ['haproxy', '-db', '-f', file]);
  return port;
}

/** The path of a configuration of the repository. */
function configurationOf(file: string): string {
  return fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url));
}

/**
 * Returns a configuration with other values.
 * @throws Error if it does not contain one of them.
 */
async function readAndReplace(file: string, replacements: Record<string, string>): Promise<string> {
  const text = await readFile(configurationOf(file), 'utf8');
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`${file} does not contain "${from}".`);
    return result.replaceAll(from, to);
  }, text);
}

/** Returns a directory with `fullchain.pem` and `privkey.pem` for localhost. The certificate signs itself. */
async function createCertificate(cleanup: Cleanup): Promise<string> {
  const directory = await temporaryDirectory(cleanup);
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject];
  const files = ['-keyout', join(directory, 'privkey.pem'), '-out', join(directory, 'fullchain.pem')];
  await promisify(execFile)('openssl', [...options, ...files]);
  return directory;
}
