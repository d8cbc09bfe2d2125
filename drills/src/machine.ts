import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sendSignal } from '@petstore/test-kit/postmaster.js';
import { isolatedEnvironment, Program } from '@petstore/test-kit/program.js';

const ip = (...args: string[]) => promisify(execFile)('ip', args);

const bridge = 'switch';

/** Creates the switch that connects the machines. This process is connected to it too. */
export async function createSwitch(address: string): Promise<void> {
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('address', 'add', `${address}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
}

/** A program that root starts on a machine. */
export interface MachineProgram {
  readonly command: readonly string[];
  readonly variables?: Record<string, string>;
  /** Directories of the system that this machine has on its own. */
  readonly mounts?: Readonly<Record<string, string>>;
}

/** A network namespace with one link to the switch, and the processes in it. */
export class Machine {
  #started: Program[] = [];

  private constructor(
    readonly name: string,
    private readonly programs: readonly MachineProgram[],
  ) {}

  /** Creates it without starting its programs. */
  static async create(name: string, address: string, programs: readonly MachineProgram[]): Promise<Machine> {
    await ip('netns', 'add', name);
    await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    await ip('link', 'set', name, 'master', bridge, 'up');
    await ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const link of ['lo', 'eth0']) await ip('-n', name, 'link', 'set', link, 'up');
    return new Machine(name, programs);
  }

  /** Starts its programs. `ip netns exec` gives each its own mounts. */
  start(): void {
    this.#started = this.programs.map(({ command, variables = {}, mounts = {} }) => {
      const binds = Object.entries(mounts).map(([to, from]) => `mount --bind ${from} ${to}`);
      const script = [...binds, 'exec "$@"'].join(' && ');
      const inNamespace = ['ip', 'netns', 'exec', this.name, 'sh', '-c', script, 'sh', ...command];
      return new Program(inNamespace, { env: isolatedEnvironment(variables) });
    });
  }

  /** The last output of its programs. */
  get output(): string {
    return this.#started.map(({ output }) => `${this.name}:\n${output}`).join('\n\n');
  }

  /** Connects the machine to the switch, or disconnects it. Its processes continue. */
  async connect(state: 'up' | 'down'): Promise<void> {
    await ip('link', 'set', this.name, state);
  }

  /** Kills every process. */
  async crash(): Promise<void> {
    while ((await this.signal('SIGKILL')) > 0);
  }

  /** Sends a signal to every process. Returns their number. */
  async signal(signal: NodeJS.Signals): Promise<number> {
    const { stdout } = await ip('netns', 'pids', this.name);
    const pids = stdout.split('\n').filter(Boolean).map(Number);
    for (const pid of pids) sendSignal(pid, signal);
    return pids.length;
  }
}
