import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execute } from '@petstore/processes/database.js';
import { vi } from 'vitest';
import { configuration, createSwitch, DatabaseMachine, Machine, ServiceMachine } from './machines.js';

const ownAddress = '10.77.0.1';
const superuser = 'postgresql://postgres:change-this-superuser@proxy:5432/postgres';

/** The machines of deploy/cluster: three databases, one proxy and three services. */
export class Cluster {
  private constructor(
    readonly databases: readonly DatabaseMachine[],
    readonly services: readonly ServiceMachine[],
  ) {}

  /** Creates the machines, and starts everything. `directory` gets their files. */
  static async start(directory: string): Promise<Cluster> {
    await promisify(execFile)('mount', ['--bind', configuration('hosts'), '/etc/hosts']);
    await createSwitch(ownAddress);
    const machines = await readMachines(directory);
    const of = (prefix: string) => machines.filter(({ name }) => name.startsWith(prefix));
    const databases = of('db').map(({ name, address, files }) => DatabaseMachine.create(name, address, files));
    const services = of('api').map(({ name, address, files }) => ServiceMachine.create(name, address, files));
    const cluster = new Cluster(await Promise.all(databases), await Promise.all(services));
    for (const database of cluster.databases) database.start();
    for (const { name, address, files } of of('proxy')) startProxy(await Machine.create(name, address), files);
    await cluster.primary();
    await createDatabase();
    // One after the other: the first one migrates.
    for (const service of cluster.services) await service.start();
    return cluster;
  }

  /** Waits until the database has its primary and both standbys. */
  async primary(): Promise<DatabaseMachine> {
    const name = await untilHealthy(this.databases.map((database) => database.name));
    return this.databases.find((database) => database.name === name) as DatabaseMachine;
  }

  /** Waits until another machine is the primary. */
  replaced({ name }: DatabaseMachine): Promise<void> {
    return untilPrimary(this.databases.map((database) => database.name).filter((other) => other !== name));
  }
}

interface MachineOptions {
  readonly name: string;
  readonly address: string;
  /** The directory of its files. */
  readonly files: string;
}

async function readMachines(directory: string): Promise<MachineOptions[]> {
  const hosts = await readFile(configuration('hosts'), 'utf8');
  const machines = [...hosts.matchAll(/^(10\.\S+) (\S+)$/gm)].map(([, address = '', name = '']) => {
    return { name, address, files: join(directory, name) };
  });
  for (const { files } of machines) await mkdir(files);
  return machines;
}

function startProxy(machine: Machine, directory: string): void {
  const command = ['/usr/sbin/haproxy', '-db', '-f', configuration('haproxy.cfg')];
  machine.start({ command, variables: {}, log: join(directory, 'haproxy.log') });
}

async function createDatabase(): Promise<void> {
  await execute(superuser, `CREATE ROLE petstore LOGIN PASSWORD 'change-this'`);
  await execute(superuser, 'CREATE DATABASE petstore OWNER petstore');
}

const healthyMs = 120_000;

/** Waits until Patroni on one of these machines reports that it is the primary. */
async function untilPrimary(machines: readonly string[]): Promise<void> {
  const isPrimary = async (machine: string) => (await request(`http://${machine}:8008/primary`))?.ok;
  const isAnyPrimary = async () => (await Promise.all(machines.map(isPrimary))).includes(true);
  await vi.waitUntil(isAnyPrimary, { timeout: healthyMs, interval: 50 });
}

async function request(url: string): Promise<{ ok: boolean; text: string } | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => ({ ok: response.ok, text: await response.text() }),
    () => undefined,
  );
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** Asks Patroni on any of these machines about all of them. `undefined`: none responds. */
async function members(machines: readonly string[]): Promise<readonly Member[] | undefined> {
  for (const machine of machines) {
    const response = await request(`http://${machine}:8008/cluster`);
    if (response) return (JSON.parse(response.text) as { members: Member[] }).members;
  }
  return undefined;
}

/** Waits until there is one primary, one synchronous standby and one more standby. Returns the name of the primary. */
async function untilHealthy(machines: readonly string[]): Promise<string> {
  const findPrimary = async () => {
    const all = await members(machines);
    if (all && isHealthy(all)) return all.find(({ role }) => role === 'leader');
    throw new Error(`The cluster is not healthy: ${JSON.stringify(all)}`);
  };
  return (await vi.waitFor(findPrimary, { timeout: healthyMs, interval: 500 }))?.name ?? '';
}

function isHealthy(all: readonly Member[]): boolean {
  const roles = all.map(({ role }) => role).toSorted();
  const isRunning = all.every(({ state }) => state === 'running' || state === 'streaming');
  const hasOneTimeline = new Set(all.map(({ timeline }) => timeline)).size === 1;
  return isRunning && hasOneTimeline && String(roles) === 'leader,replica,sync_standby';
}
