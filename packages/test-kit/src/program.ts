import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkBuild } from './current-build.js';

const startMs = 60_000;
const stopMs = 15_000;
const outputMs = 500;
const runMs = 90_000;

export interface ProgramOptions extends SpawnOptions {
  /** Receives everything that the program writes. */
  onOutput?: (output: string) => void;
}

/** A program in another process. */
export class Program {
  readonly #child: ChildProcess;
  /** It has ended, and its output is complete. */
  readonly #closed: Promise<unknown>;
  #output = '';

  constructor([program = '', ...args]: readonly string[], { onOutput, ...options }: ProgramOptions = {}) {
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const collect = (chunk: unknown) => {
      this.#output = (this.#output + String(chunk)).slice(-2_000);
      onOutput?.(String(chunk));
    };
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', collect);
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', resolve);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The last 2,000 characters of its output. */
  get output(): string {
    return this.#output.trim();
  }

  /** Writes to its standard input, which needs the option `stdio: 'pipe'`. */
  write(input: string): void {
    this.#child.stdin?.write(input);
  }

  /** Waits until the URL returns 2xx. @throws Error if the program exits, or after 60 s. */
  async ready(url: string, headers: Record<string, string> = {}): Promise<void> {
    for (const begin = Date.now(); !(await isReady(url, headers)); await sleep(20)) {
      if (this.hasEnded) {
        const status = this.#child.exitCode ?? this.#child.signalCode;
        throw new Error(`The program exited with ${status} before it was ready:\n${this.output}`);
      }
      if (Date.now() - begin > startMs)
        throw new Error(`The program was not ready after ${startMs / 1_000} s:\n${this.output}`);
    }
  }

  /** Sends a signal and waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.hasEnded && this.#child.pid !== undefined) this.#child.kill(signal);
    return this.exited();
  }

  /** Waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async exited(): Promise<number | null> {
    if (!this.hasEnded && this.#child.pid !== undefined) await once(this.#child, 'exit');
    // The last output arrives after the exit. PostgreSQL may still hold the pipes of a service that was killed.
    await Promise.race([this.#closed, sleep(outputMs)]);
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

/** Whether the URL returns 2xx within 5 s. */
export async function isReady(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) });
    return (await response.text()) !== '' && response.ok;
  } catch {
    return false;
  }
}

/**
 * Returns a loopback port that no other process takes until this one ends, also while nothing listens on it. It is below the
 * ports that systems give to connections and to servers that listen on 0. A UDP socket with its number claims it among tests.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const address = { port: randomInt(10_100, 32_000), host: '127.0.0.1' };
    const claim = createSocket('udp4').unref();
    const server = createServer();
    try {
      await once(claim.bind(address.port, address.host), 'listening');
      await once(server.listen(address), 'listening');
      server.close();
      await once(server, 'close');
      return address.port;
    } catch (error) {
      claim.close();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** The directory of the built service. */
export const serviceDirectory = fileURLToPath(new URL('../../../apps/api/dist/', import.meta.url));

let checked: Promise<void> | undefined;

/** Rejects a built service that has other sources than this directory: its tests would mislead. */
export function requireCurrentBuild(): Promise<void> {
  return (checked ??= checkBuild(serviceDirectory));
}

type Variables = Record<string, string>;

/**
 * Runs a program of the built service until it exits. One that still runs after 90 s is killed: its code is `null`. `user` is
 * another user of this system.
 */
export async function runProgram(
  program: string,
  args: string[],
  variables: Variables,
  user: Pick<SpawnOptions, 'uid' | 'gid'> = {},
) {
  await requireCurrentBuild();
  const options = { env: isolatedEnvironment(variables), timeout: runMs, killSignal: 'SIGKILL', ...user } as const;
  const child = spawn(process.execPath, [`${serviceDirectory}${program}`, ...args], options);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code: child.exitCode };
}

/**
 * Runs a command of the built service. Returns what it prints.
 * @throws Error with its messages if it fails.
 */
export async function manage(args: string[], variables: Variables): Promise<string> {
  const { stdout, stderr, code } = await runProgram('manage.js', args, variables);
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${String(code)}: ${stderr}`);
  return stdout;
}

/** Passes on only PATH and HOME of this process's environment. */
export function isolatedEnvironment(variables: Variables): Variables {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...variables };
}
