import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execute } from '@petstore/processes/database.js';
import { isReady } from '@petstore/processes/server-process.js';
import { vi } from 'vitest';
import { createSwitch, Machine } from './machine.js';
import { configuration, programsOf } from './programs.js';

const ownAddress = '10.77.0.1';
const superuser = 'postgresql://postgres:change-this-superuser@proxy:5432/postgres';
const healthyMs = 120_000;

/** The machines of deploy/cluster: three databases, one proxy and three services. */
export class Cluster {
  private constructor(private readonly machines: readonly Machine[]) {}

  /** Creates the machines. `directory` gets their files. */
  static async create(directory: string): Promise<Cluster> {
    await promisify(execFile)('mount', ['--bind', configuration('hosts'), '/etc/hosts']);
    await createSwitch(ownAddress);
    const hosts = await readFile(configuration('hosts'), 'utf8');
    const machines: Machine[] = [];
    for (const [, address = '', name = ''] of hosts.matchAll(/^(10\.\S+) (\S+)$/gm)) {
      machines.push(await Machine.create(name, address, await programsOf(name, join(directory, name))));
    }
    return new Cluster(machines);
  }

  async start(): Promise<void> {
    for (const machine of [...this.#named('db'), ...this.#named('proxy')]) machine.start();
    await this.primary();
    await execute(superuser, `CREATE ROLE petstore LOGIN PASSWORD 'change-this'`);
    await execute(superuser, 'CREATE DATABASE petstore OWNER petstore');
    // One after the other: the first one migrates.
    for (const service of this.services) await startService(service);
  }

  get services(): readonly Machine[] {
    return this.#named('api');
  }

  /** The last output of all programs. */
  get output(): string {
    return this.machines.map(({ output }) => output).join('\n\n');
  }

  /** Waits until the database has its primary and both standbys. */
  primary(): Promise<Machine> {
    const find = async () => {
      const members = await this.#members();
      const leader = members.find(({ role }) => role === 'leader');
      const primary = this.#named('db').find(({ name }) => name === leader?.name);
      if (primary && isHealthy(members)) return primary;
      throw new Error(`The cluster is not healthy: ${JSON.stringify(members)}`);
    };
    return vi.waitFor(find, { timeout: healthyMs, interval: 500 });
  }

  /** Waits until another machine is the primary. */
  async replaced({ name }: Machine): Promise<void> {
    const others = this.#named('db').filter((other) => other.name !== name);
    const isReplaced = async () => {
      const arePrimary = await Promise.all(others.map((other) => isReady(`http://${other.name}:8008/primary`)));
      return arePrimary.includes(true);
    };
    await vi.waitUntil(isReplaced, { timeout: healthyMs, interval: 50 });
  }

  /** What the first Patroni that responds reports about all of them. */
  async #members(): Promise<readonly Member[]> {
    const requests = this.#named('db').map(({ name }) =>
      fetch(`http://${name}:8008/cluster`, { signal: AbortSignal.timeout(2000) }),
    );
    const response = await Promise.any(requests);
    return ((await response.json()) as { members: Member[] }).members;
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

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** Whether there is one primary, one synchronous standby and one more standby. */
function isHealthy(all: readonly Member[]): boolean {
  const roles = all.map(({ role }) => role).toSorted();
  const isRunning = all.every(({ state }) => state === 'running' || state === 'streaming');
  const hasOneTimeline = new Set(all.map(({ timeline }) => timeline)).size === 1;
  return isRunning && hasOneTimeline && String(roles) === 'leader,replica,sync_standby';
}
