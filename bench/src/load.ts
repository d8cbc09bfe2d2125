import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';

/** A request and its expected response. */
export interface Exchange {
  /** The exact bytes: request line, headers and body. */
  readonly request: string;
  readonly status: number;
  /** The exact body of the response. For a create, the part after the id. */
  readonly body: string;
  /** The response starts with an id that the server assigns: `{"id":` and digits before `body`. */
  readonly assignsId?: boolean;
}

/** The load on one server. */
export interface LoadJob {
  readonly port: number;
  /** Each has one request in flight. */
  readonly connections: number;
  /** Sent repeatedly in this order, on whichever connection is free. */
  readonly exchanges: readonly Exchange[];
}

/** An animal that a server acknowledged. */
export interface Added {
  readonly id: number;
  readonly body: string;
}

/** The results of the measured runs. */
export interface LoadResult {
  readonly responses: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The acknowledged animals of all runs. */
  readonly added: { readonly count: number; readonly idSum: number; readonly last: readonly Added[] };
}

/** A message to a load process. It responds to each with `LoadReply`. */
export type LoadCommand = { job: LoadJob } | { run: { ms: number; isMeasured: boolean } } | { end: true };
export interface LoadReply {
  readonly result?: LoadResult;
  /** The first wrong or missing response. */
  readonly failure?: string;
}

/** In addition to the duration of a run: for the start and the last responses. */
const graceMs = 40_000;
const entry = fileURLToPath(new URL('load-loop.js', import.meta.url));

/** A process that loads one server, in runs. */
export class LoadProcess {
  readonly #ended: Promise<LoadReply[]>;

  private constructor(private readonly child: ChildProcess) {
    this.#ended = once(child, 'exit').then(() => [{ failure: 'the server did not respond in time' }]);
  }

  static async start(cleanup: Cleanup, job: LoadJob): Promise<LoadProcess> {
    const options: ForkOptions = {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    };
    const load = await cleanup.own(
      async () => new LoadProcess(fork(entry, [], options)),
      ({ child }) => child.kill('SIGKILL'),
    );
    await load.#command({ job });
    return load;
  }

  /** Sends requests for `ms`, and waits for the last responses. */
  async run(ms: number, isMeasured: boolean): Promise<void> {
    await this.#command({ run: { ms, isMeasured } }, ms);
  }

  async end(): Promise<LoadResult> {
    const { result } = await this.#command({ end: true });
    this.child.kill('SIGKILL');
    return result as LoadResult;
  }

  async #command(command: LoadCommand, ms = 0): Promise<LoadReply> {
    const timeLimit = setTimeout(() => this.child.kill('SIGKILL'), ms + graceMs);
    this.child.send(command);
    const replied = once(this.child, 'message') as Promise<LoadReply[]>;
    const [reply = {}] = await Promise.race([replied, this.#ended]);
    clearTimeout(timeLimit);
    if (reply.failure !== undefined) throw new Error(reply.failure);
    return reply;
  }
}
