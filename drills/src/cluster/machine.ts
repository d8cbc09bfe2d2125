import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { promisify } from 'node:util';
import { sendSignal } from '@petstore/processes/postmaster.js';
import { isolatedEnvironment } from '@petstore/processes/program.js';

const run = promisify(execFile);
const ip = (...args: string[]) => run('ip', args);

const bridge = 'switch';

/** Creates the switch that connects the machines. This process is connected to it too. */
export async function createSwitch(address: string): Promise<void> {
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('address', 'add', `${address}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
}

export interface Program {
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
