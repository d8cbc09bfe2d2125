import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { execute } from '@petstore/test-kit/database.js';
import { isReady, serviceDirectory } from '@petstore/test-kit/program.js';
import { apiKey } from '@petstore/test-kit/test-service.js';
import { vi } from 'vitest';
import { createSwitch, Machine, type MachineProgram } from './machine.js';

const superuser = 'postgresql://postgres:change-this-superuser@proxy:5432/postgres';
const healthyMs = 120_000;

/** The machines of deploy/cluster: three databases, one proxy and three services. */
export class Cluster {
  private constructor(private readonly machines: readonly Machine[]) {}

  /** Creates the machines and starts their programs. `directory` gets their files. */
  static async start(directory: string): Promise<Cluster> {
    await promisify(execFile)('mount', ['--bind', configuration('hosts'), '/etc/hosts']);
    await createSwitch('10.77.0.1');
    const hosts = await readFile(configuration('hosts'), 'utf8');
    const machines: Machine[] = [];
    for (const [, address = '', name = ''] of hosts.matchAll(/^(10\.\S+) (\S+)$/gm)) {
      machines.push(await Machine.create(name, address, await programsOf(name, join(directory, name))));
    }
    const cluster = new Cluster(machines);
    for (const machine of [...cluster.#named('db'), ...cluster.#named('proxy')]) machine.start();
    await cluster.primary();
    await execute(superuser, `CREATE ROLE petstore LOGIN PASSWORD 'change-this'`);
    await execute(superuser, 'CREATE DATABASE petstore OWNER petstore');
    // One after the other: the first one migrates.
    for (const service of cluster.#named('api')) await startService(service);
    return cluster;
  }

  get service(): Machine {
    return this.#named('api')[0] as Machine;
  }

  /** The last output of all programs. */
  get output(): string {
    return this.machines.map(({ output }) => output).join('\n\n');
  }

  /** Waits until the database has its primary, its synchronous standby and one more standby. */
  primary(): Promise<Machine> {
    const find = async () => {
      // What the first Patroni that responds reports about all of them.
      const requests = this.#named('db').map(({ name }) =>
        fetch(`http://${name}:8008/cluster`, { signal: AbortSignal.timeout(2000) }),
      );
      const { members } = (await (await Promise.any(requests)).json()) as { members: Record<string, unknown>[] };
      const roles = members.map(({ role }) => String(role)).toSorted();
      const isRunning = members.every(({ state }) => state === 'running' || state === 'streaming');
      const hasOneTimeline = new Set(members.map(({ timeline }) => timeline)).size === 1;
      const leader = members.find(({ role }) => role === 'leader');
      const primary = this.#named('db').find(({ name }) => name === leader?.['name']);
      if (primary && isRunning && hasOneTimeline && String(roles) === 'leader,replica,sync_standby') return primary;
      throw new Error(`The cluster is not healthy: ${JSON.stringify(members)}\n${this.output}`);
    };
    return vi.waitFor(find, { timeout: healthyMs, interval: 500 });
  }

  /** Waits until another machine is the primary. */
  async replaced({ name }: Machine): Promise<void> {
    const others = this.#named('db').filter((other) => other.name !== name);
    const isReplaced = async () =>
      (await Promise.all(others.map((other) => isReady(`http://${other.name}:8008/primary`)))).includes(true);
    await vi.waitUntil(isReplaced, { timeout: healthyMs, interval: 50 });
  }

  #named(prefix: string): readonly Machine[] {
    return this.machines.filter(({ name }) => name.startsWith(prefix));
  }
}

/** Resolves when it is ready. */
export async function startService(machine: Machine): Promise<void> {
  machine.start();
  await vi.waitUntil(() => isReady(`http://${machine.name}:3000/readyz`), { timeout: 60_000, interval: 100 });
}

/** The path of a file of deploy/cluster, which the drill uses without changes. */
function configuration(file: string): string {
  return fileURLToPath(new URL(`../../deploy/cluster/${file}`, import.meta.url));
}

/** The programs of the machine of this name. `directory` gets its files. */
async function programsOf(name: string, directory: string): Promise<readonly MachineProgram[]> {
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
