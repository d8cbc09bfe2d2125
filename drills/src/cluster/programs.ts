import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { serviceDirectory } from '@petstore/processes/program.js';
import { apiKey } from '@petstore/processes/service-process.js';
import type { MachineProgram } from './machine.js';

/** The path of a file of deploy/cluster, which the drill uses without changes. */
export function configuration(file: string): string {
  return fileURLToPath(new URL(`../../../deploy/cluster/${file}`, import.meta.url));
}

/** What runs on the machine of this name. `directory` gets its files. */
export async function programsOf(name: string, directory: string): Promise<readonly MachineProgram[]> {
  if (name.startsWith('db')) return databasePrograms(name, directory);
  return name.startsWith('api') ? [service] : [proxy];
}

const proxy: MachineProgram = { command: ['/usr/sbin/haproxy', '-db', '-f', configuration('haproxy.cfg')] };

/** The built service, with the database behind the proxy. */
const service: MachineProgram = {
  command: [process.execPath, `${serviceDirectory}main.js`],
  variables: {
    HOST: '0.0.0.0',
    DATABASE_URL: 'postgresql://petstore:change-this@proxy:5432/petstore',
    BOOTSTRAP_API_KEY: apiKey,
    // The proxy in deploy/cluster/hosts.
    TRUST_PROXY: '10.77.0.20',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
  },
};

const ownDirectories = ['/var/lib/postgresql', '/var/lib/etcd', '/var/run/postgresql'];
const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];

/** PostgreSQL, Patroni and etcd, as deploy/cluster describes. */
async function databasePrograms(name: string, directory: string): Promise<MachineProgram[]> {
  const mounts: Record<string, string> = { '/etc/patroni': configuration('.') };
  for (const path of ownDirectories) {
    mounts[path] = join(directory, path);
    await mkdir(mounts[path], { recursive: true });
    await promisify(execFile)('chown', ['postgres:postgres', mounts[path]]);
  }
  const common = await readFile(configuration('etcd.conf'), 'utf8');
  const own = (await readFile(configuration('node.conf'), 'utf8')).replaceAll('db1', name);
  const settings = { ...parseEnv(common), ...parseEnv(own) } as Record<string, string>;
  const variables = { ...settings, HOME: '/var/lib/postgresql' };
  return [
    { command: [...asPostgres, '/usr/bin/etcd'], variables, mounts },
    { command: [...asPostgres, '/usr/bin/patroni', '/etc/patroni/patroni.yml'], variables, mounts },
  ];
}
