import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { cpuSecondsOfFamilies, residentBytes } from '@petstore/processes/process-usage.js';
import type { Client } from 'pg';
import { expectedAnimals } from './animals.js';
import type { Context, Target } from './targets.js';

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
class LoadProcess {
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

const memoryIntervalMs = 200;

/** The measurements of one server under one load. */
export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds per 1,000 requests, of the processes of the server and of PostgreSQL. */
  readonly serverCpu: number;
  readonly postgresCpu: number;
  readonly peakBytes: number;
}

export interface Load {
  readonly connections: number;
  readonly exchanges: readonly Exchange[];
}

/** The load on one server, and what the server uses meanwhile. Errors name the server and the first wrong response. */
export class MeasuredLoad {
  /** The memory of the server in bytes, sampled five times a second during its turns. */
  readonly memory: number[] = [];
  #server = 0;
  #postgres = 0;

  private constructor(
    private readonly target: Target,
    private readonly load: LoadProcess,
    private readonly postgresPid: number,
    private readonly lastId: number,
  ) {}

  static async start({ cleanup, postgres }: Context, target: Target, load: Load): Promise<MeasuredLoad> {
    const process = await LoadProcess.start(cleanup, { ...load, port: target.server.port });
    return new MeasuredLoad(target, process, await postgres.pid(), await readLastId(target.database));
  }

  /** Loads the server, first without measuring. */
  async turn(warmupMs: number, ms: number): Promise<void> {
    await this.#explain(async () => {
      if (warmupMs > 0) await this.load.run(warmupMs, false);
      const sample = () => this.memory.push(residentBytes(this.target.server.pid));
      sample();
      const sampling = setInterval(sample, memoryIntervalMs);
      this.#addUsage(-1);
      await this.load.run(ms, true).finally(() => clearInterval(sampling));
      this.#addUsage(1);
    });
  }

  async end(): Promise<Measurement> {
    return this.#explain(async () => {
      const { responses, seconds, p50Ms, p99Ms, added } = await this.load.end();
      await compareAdded(this.target.database, this.lastId, added);
      return {
        requestsPerSecond: responses / seconds,
        p50Ms,
        p99Ms,
        serverCpu: (this.#server / responses) * 1_000,
        postgresCpu: (this.#postgres / responses) * 1_000,
        peakBytes: Math.max(...this.memory),
      };
    });
  }

  #addUsage(factor: 1 | -1): void {
    const [server = 0, postgres = 0] = cpuSecondsOfFamilies(this.target.server.pid, this.postgresPid);
    this.#server += factor * server;
    this.#postgres += factor * postgres;
  }

  async #explain<Result>(work: () => Promise<Result>): Promise<Result> {
    const { name, server } = this.target;
    try {
      return await work();
    } catch (error) {
      const output = server.output === '' ? '' : `\nIts last output:\n${server.output}`;
      throw new Error(`${name}: ${(error as Error).message}${output}`, { cause: error });
    }
  }
}

/** Loads a server in one turn. */
export async function loadTarget(
  context: Context,
  target: Target,
  { warmupMs, ms, ...load }: Load & { warmupMs: number; ms: number },
): Promise<Measurement> {
  const measured = await MeasuredLoad.start(context, target, load);
  await measured.turn(warmupMs, ms);
  return measured.end();
}

async function readLastId(database: Client): Promise<number> {
  const { rows } = await database.query<{ last: string }>('SELECT coalesce(max(id), 0) AS last FROM pet');
  return Number(rows[0]?.last);
}

/** @throws Error if a row that was added since then is missing, unacknowledged or different. */
async function compareAdded(database: Client, lastId: number, added: LoadResult['added']): Promise<void> {
  const { rows } = await database.query<{ count: string; sum: string }>(
    'SELECT count(*), coalesce(sum(id), 0) AS sum FROM pet WHERE id > $1',
    [lastId],
  );
  const [stored, acknowledged] = [`${rows[0]?.count} (${rows[0]?.sum})`, `${added.count} (${added.idSum})`];
  if (stored !== acknowledged) {
    throw new Error(`Acknowledged ${acknowledged} animals (and the sum of their ids), but stored ${stored}.`);
  }
  const found = await expectedAnimals(
    database,
    added.last.map(({ id }) => id),
  );
  for (const { id, body } of added.last) {
    const expected = `{"id":${id}${body}`;
    if (found.get(id) !== expected) throw new Error(`Acknowledged ${expected}, but stored ${found.get(id)}.`);
  }
}
