import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { sendSignal } from '@petstore/processes/postmaster.js';
import { isolatedEnvironment, serviceDirectory } from '@petstore/processes/program.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { vi } from 'vitest';

const run = promisify(execFile);
const ip = (...args: string[]) => run('ip', args);

const bridge = 'switch';

/** Creates the switch that connects the machines. This process is connected to it too. */
export async function createSwitch(address: string): Promise<void> {
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('address', 'add', `${address}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
}

interface Program {
  readonly command: readonly string[];
  readonly variables: Record<string, string>;
  /** Directories of the system that this machine has on its own. */
  readonly mounts?: Readonly<Record<string, string>>;
  /** The file that gets its output. */
  readonly log: string;
}

/** A network namespace with one link to the switch, and the processes in it. */
export class Machine {
  private constructor(readonly name: string) {}

  static async create(name: string, address: string): Promise<Machine> {
    const machine = new Machine(name);
    await ip('netns', 'add', name);
    await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    await ip('link', 'set', name, 'master', bridge, 'up');
    await ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const link of ['lo', 'eth0']) await ip('-n', name, 'link', 'set', link, 'up');
    return machine;
  }

  /** Starts a program as root. `ip netns exec` gives it its own mounts. */
  start({ command, variables, mounts = {}, log }: Program): ChildProcess {
    const binds = Object.entries(mounts).map(([to, from]) => `mount --bind ${from} ${to}`);
    const script = [...binds, 'exec "$@"'].join(' && ');
    const child = spawn('ip', ['netns', 'exec', this.name, 'sh', '-c', script, 'sh', ...command], {
      env: isolatedEnvironment(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(createWriteStream(log, { flags: 'a' }));
    return child;
  }

  /** Disconnects the machine from the switch. Its processes continue. */
  async cutOff(): Promise<void> {
    await ip('link', 'set', this.name, 'down');
  }

  async reconnect(): Promise<void> {
    await ip('link', 'set', this.name, 'up');
  }

  /** Kills every process. */
  async crash(): Promise<void> {
    while ((await this.#signal('SIGKILL')) > 0);
  }

  async freeze(): Promise<void> {
    // Twice: a process may have started another one before it was stopped itself.
    for (let time = 0; time < 2; time += 1) await this.#signal('SIGSTOP');
  }

  async thaw(): Promise<void> {
    await this.#signal('SIGCONT');
  }

  /** Returns the number of processes. */
  async #signal(signal: NodeJS.Signals): Promise<number> {
    const { stdout } = await ip('netns', 'pids', this.name);
    const pids = stdout.split('\n').filter(Boolean).map(Number);
    for (const pid of pids) sendSignal(pid, signal);
    return pids.length;
  }
}

/** The path of a file of deploy/cluster, which the drill uses without changes. */
export function configuration(file: string): string {
  return fileURLToPath(new URL(`../../../deploy/cluster/${file}`, import.meta.url));
}

/** The user and group of Debian's PostgreSQL. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const mounts = ['/var/lib/postgresql', '/var/lib/etcd', '/var/run/postgresql'] as const;

/** A machine that runs PostgreSQL, Patroni and etcd as deploy/cluster describes. */
export class DatabaseMachine {
  private constructor(
    readonly machine: Machine,
    private readonly directory: string,
    private readonly variables: Record<string, string>,
  ) {}

  static async create(name: string, address: string, directory: string): Promise<DatabaseMachine> {
    const owner = await postgresUser();
    for (const mount of mounts) {
      const path = join(directory, mount);
      await mkdir(path, { recursive: true });
      await chown(path, owner.uid, owner.gid);
    }
    const own = (await readFile(configuration('node.conf'), 'utf8')).replaceAll('db1', name);
    const common = await readFile(configuration('etcd.conf'), 'utf8');
    const variables = { ...parseEnv(common), ...parseEnv(own) } as Record<string, string>;
    return new DatabaseMachine(await Machine.create(name, address), directory, variables);
  }

  get name(): string {
    return this.machine.name;
  }

  start(): void {
    this.#run('etcd', ['/usr/bin/etcd']);
    this.#run('patroni', ['/usr/bin/patroni', '/etc/patroni/patroni.yml']);
  }

  #run(program: string, command: readonly string[]): void {
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command];
    this.machine.start({
      command: asPostgres,
      variables: { ...this.variables, HOME: '/var/lib/postgresql' },
      mounts: {
        '/etc/patroni': configuration('.'),
        ...Object.fromEntries(mounts.map((path) => [path, join(this.directory, path)])),
      },
      log: join(this.directory, `${program}.log`),
    });
  }
}

async function postgresUser(): Promise<Owner> {
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (!line) throw new Error('The user postgres does not exist.');
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

const startMs = 60_000;

/** A machine that runs the built service, with the database behind the proxy. */
export class ServiceMachine {
  private constructor(
    private readonly machine: Machine,
    private readonly directory: string,
  ) {}

  static async create(name: string, address: string, directory: string): Promise<ServiceMachine> {
    return new ServiceMachine(await Machine.create(name, address), directory);
  }

  get name(): string {
    return this.machine.name;
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const child = this.machine.start({
      command: [process.execPath, `${serviceDirectory}main.js`],
      variables: {
        HOST: '0.0.0.0',
        DATABASE_URL: 'postgresql://petstore:change-this@proxy:5432/petstore',
        BOOTSTRAP_API_KEY: apiKey,
        TRUST_PROXY: '1',
        LOG_LEVEL: 'warn',
        NODE_ENV: 'production',
      },
      log: join(this.directory, `${this.name}.log`),
    });
    const isReady = async () => {
      if (child.exitCode !== null) throw new Error(`${this.name} did not start.`);
      return this.#isReady();
    };
    await vi.waitUntil(isReady, { timeout: startMs, interval: 100 });
  }

  crash(): Promise<void> {
    return this.machine.crash();
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`http://${this.name}:3000/readyz`).catch(() => undefined);
    await response?.text();
    return response?.ok === true;
  }
}
