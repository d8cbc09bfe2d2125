import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const stopMs = 15_000;
const runMs = 90_000;

export interface ProgramOptions extends SpawnOptions {
  /** Receives everything that the program writes. */
  onOutput?: ((text: string) => void) | undefined;
}

/** A program in another process. */
export class Program {
  readonly #child: ChildProcess;
  #output = '';

  constructor([program = '', ...args]: readonly string[], { onOutput, ...options }: ProgramOptions = {}) {
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const collect = (chunk: unknown) => {
      this.#output = (this.#output + String(chunk)).slice(-2_000);
      onOutput?.(String(chunk));
    };
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', collect);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The exit code, or the signal that ended it. `null` while it runs. */
  get status(): number | NodeJS.Signals | null {
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  /** The last 2,000 characters of its output. */
  get output(): string {
    return this.#output.trim();
  }

  /** Sends a signal and waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.hasEnded && this.#child.pid !== undefined) this.#child.kill(signal);
    return this.exited();
  }

  /** Waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async exited(): Promise<number | null> {
    if (!this.hasEnded && this.#child.pid !== undefined) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** Sends SIGTERM, and SIGKILL after 15 s. */
  async stop(): Promise<number | null> {
    const killing = setTimeout(() => this.#child.kill('SIGKILL'), stopMs);
    const code = await this.end('SIGTERM');
    clearTimeout(killing);
    return code;
  }
}

/** The directory of the built service. */
export const serviceDirectory = fileURLToPath(new URL('../../../apps/api/dist/', import.meta.url));

/** Starts a program of the built service, such as `manage.js`. */
export function startProgram(program: string, args: string[], variables: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [`${serviceDirectory}${program}`, ...args], { env: isolatedEnvironment(variables) });
}

/** Runs a program of the built service until it exits. One that still runs after 90 s is killed: its code is `null`. */
export async function runProgram(program: string, args: string[], variables: Record<string, string>) {
  const child = startProgram(program, args, variables);
  const killing = setTimeout(() => child.kill('SIGKILL'), runMs);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  await once(child, 'close');
  clearTimeout(killing);
  return { stdout, stderr, code: child.exitCode };
}

/**
 * Runs a command of the built service. Returns what it prints.
 * @throws Error with its messages if it fails.
 */
export async function manage(args: string[], variables: Record<string, string>): Promise<string> {
  const { stdout, stderr, code } = await runProgram('manage.js', args, variables);
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${String(code)}: ${stderr}`);
  return stdout;
}

/** Passes on only PATH and HOME of this process's environment. */
export function isolatedEnvironment(variables: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...variables };
}
