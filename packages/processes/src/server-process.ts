import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isolatedEnvironment, Program, type ProgramOptions } from './program.js';

const startMs = 60_000;

/** How a server starts. */
export interface ServerOptions extends ProgramOptions {
  /** The program and its arguments. */
  command: readonly string[];
  /** The server's whole environment, except PATH, HOME, NODE_ENV, PORT and the default LOG_LEVEL=warn. */
  variables: Record<string, string>;
  port: number;
}

/** A server in a separate process, on a loopback port. */
export class ServerProcess extends Program {
  readonly port: number;

  constructor({ command, variables, port, ...options }: ServerOptions) {
    const fixed = { NODE_ENV: 'production', PORT: String(port) };
    super(command, { env: isolatedEnvironment({ LOG_LEVEL: 'warn', ...variables, ...fixed }), ...options });
    this.port = port;
  }

  /** @throws Error if the server exits, or does not return 2xx for this request within 60 s. */
  async ready(path: string, headers: Record<string, string> = {}): Promise<void> {
    const url = `http://127.0.0.1:${this.port}${path}`;
    for (const begin = Date.now(); !(await isReady(url, headers)); await sleep(20)) {
      if (this.hasEnded) {
        throw new Error(`The server exited with ${this.status} before it was ready:\n${this.output}`);
      }
      if (Date.now() - begin > startMs)
        throw new Error(`The server was not ready after ${startMs / 1_000} s:\n${this.output}`);
    }
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

/** Returns a free loopback port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
