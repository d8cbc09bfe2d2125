import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isolatedEnvironment } from './program.js';

const startMs = 60_000;
const stopMs = 15_000;

/** How `ServerProcess` starts a server. */
export interface ServerOptions {
  /** The file that Node runs. */
  entry: string;
  /** The server's whole environment, except PATH, HOME, NODE_ENV, PORT and the default LOG_LEVEL=warn. */
  variables: Record<string, string>;
  /** Options for Node, such as those of its profiler. */
  nodeOptions?: readonly string[];
  /** Default: a free port. */
  port?: number;
  /** Receives everything that the server writes. */
  onOutput?: (text: string) => void;
  spawnOptions?: RunOptions;
}

/** How Node runs the server. */
export interface RunOptions extends SpawnOptions {
  /** The path of another Node executable. */
  node?: string;
}

/** A server in a separate Node process, on a loopback port. */
export class ServerProcess {
  #output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    onOutput: ServerOptions['onOutput'],
  ) {
    const collect = (chunk: unknown) => {
      this.#output = (this.#output + String(chunk)).slice(-2_000);
      onOutput?.(String(chunk));
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', collect);
  }

  static async start(options: ServerOptions): Promise<ServerProcess> {
    const { entry, variables, nodeOptions = [], port = await freePort(), onOutput } = options;
    const { node = process.execPath, ...spawnOptions } = options.spawnOptions ?? {};
    const fixed = { NODE_ENV: 'production', PORT: String(port) };
    const env = isolatedEnvironment({ LOG_LEVEL: 'warn', ...variables, ...fixed });
    const child = spawn(node, [...nodeOptions, entry], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...spawnOptions,
    });
    return new ServerProcess(child, port, onOutput);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The last 2,000 characters of its output. */
  get output(): string {
    return this.#output.trim();
  }

  /** @throws Error if the server exits, or does not return 2xx for this request within 60 s. */
  async ready(path: string, headers: Record<string, string>): Promise<void> {
    for (const begin = Date.now(); !(await this.#isReady(path, headers)); await sleep(20)) {
      if (this.hasEnded) {
        const status = this.child.exitCode ?? this.child.signalCode;
        throw new Error(`The server exited with ${status} before it was ready:\n${this.output}`);
      }
      if (Date.now() - begin > startMs)
        throw new Error(`The server was not ready after ${startMs / 1_000} s:\n${this.output}`);
    }
  }

  /** Sends a signal and waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.hasEnded && this.child.pid !== undefined) this.child.kill(signal);
    return this.exited();
  }

  /** Waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async exited(): Promise<number | null> {
    if (!this.hasEnded && this.child.pid !== undefined) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Sends SIGTERM, and SIGKILL after 15 s. */
  async stop(): Promise<void> {
    const killing = setTimeout(() => this.child.kill('SIGKILL'), stopMs);
    await this.end('SIGTERM');
    clearTimeout(killing);
  }

  async #isReady(path: string, headers: Record<string, string>): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, { headers, signal: AbortSignal.timeout(5_000) }).then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
  }
}

/** Returns a free loopback port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
