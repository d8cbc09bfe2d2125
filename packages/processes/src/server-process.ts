import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const startMs = 30_000;
const stopMs = 15_000;

export interface ServerOptions {
  /** The file that Node runs. */
  entry: string;
  /** All that it finds in its environment besides PATH, HOME and, unless it is named here, LOG_LEVEL=warn. */
  variables: Record<string, string>;
  /** Options of Node, such as those of its profiler. */
  nodeOptions?: readonly string[];
  /** A free one when it is left out. */
  port?: number;
  /** Gets all that it writes. */
  hear?: (text: string) => void;
}

/** A server as a Node process of its own, on a port of loopback. */
export class ServerProcess {
  #words = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    hear: ServerOptions['hear'],
  ) {
    const take = (chunk: unknown) => {
      this.#words = (this.#words + String(chunk)).slice(-2_000);
      hear?.(String(chunk));
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', take);
  }

  static async start({ entry, variables, nodeOptions = [], port, hear }: ServerOptions): Promise<ServerProcess> {
    const listening = port ?? (await freePort());
    const { PATH = '', HOME = '' } = process.env;
    const fixed = { PATH, HOME, NODE_ENV: 'production', PORT: String(listening) };
    const env = { LOG_LEVEL: 'warn', ...variables, ...fixed };
    const child = spawn(process.execPath, [...nodeOptions, entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new ServerProcess(child, listening, hear);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The last that it wrote. */
  get words(): string {
    return this.#words.trim();
  }

  /** @throws Error when it ends, or does not answer this request by 200 within 30 s. */
  async ready(path: string, headers: Record<string, string>): Promise<void> {
    for (const begin = Date.now(); !(await this.#answers(path, headers)); await sleep(20)) {
      if (this.hasEnded) throw new Error(`it ended before it was ready:\n${this.words}`);
      if (Date.now() - begin > startMs) throw new Error(`it is not ready after ${startMs / 1_000} s:\n${this.words}`);
    }
  }

  /** Sends a signal; what it exits with once it has ended, `null` when a signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.hasEnded || this.child.pid === undefined) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
    return this.child.exitCode;
  }

  /** By SIGTERM, and by SIGKILL when that takes longer than 15 s. */
  async stop(): Promise<void> {
    const killing = setTimeout(() => this.child.kill('SIGKILL'), stopMs);
    await this.end('SIGTERM');
    clearTimeout(killing);
  }

  async #answers(path: string, headers: Record<string, string>): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, { headers, signal: AbortSignal.timeout(5_000) }).then(
      async (answer) => (await answer.text()) !== '' && answer.ok,
      () => false,
    );
  }
}

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
