import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOfFamilies, watchMemory } from '@petstore/processes/process-usage.js';
import type { Client } from 'pg';
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
export interface Load {
  /** Each has one request in flight. */
  readonly connections: number;
  /** Sent repeatedly in this order, on whichever connection is free. */
  readonly exchanges: readonly Exchange[];
}

export interface LoadJob extends Load {
  readonly port: number;
}

/** The results of the measured runs. */
export interface LoadResult {
  readonly responses: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The acknowledged animals of all runs. */
  readonly created: { readonly count: number; readonly idSum: number };
}

/** A message to the process of `load-loop.ts`. It responds to each with `LoadReply`. */
export type LoadCommand = { job: LoadJob } | { run: { ms: number; isMeasured: boolean } } | { end: true };
export interface LoadReply {
  readonly result?: LoadResult;
  /** The first wrong or missing response. */
  readonly failure?: string;
}

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

const entry = fileURLToPath(new URL('load-loop.js', import.meta.url));

/** Another process sends requests to one server. Meanwhile, this one measures the CPU time and the memory of the server. */
export class MeasuredLoad {
  /** The memory of the server in bytes, sampled five times a second during its turns. */
  readonly memory: number[] = [];
  readonly #ended: Promise<LoadReply[]>;
  #server = 0;
  #postgres = 0;

  private constructor(
    private readonly target: Target,
    private readonly child: ChildProcess,
    private readonly postgresPid: number,
    private readonly lastId: string,
  ) {
    this.#ended = once(child, 'exit').then(() => [{ failure: 'the process that sends the load ended' }]);
  }

  static async start({ cleanup, postgres }: Context, target: Target, load: Load): Promise<MeasuredLoad> {
    const child = await cleanup.own(
      async () => fork(entry, [], { serialization: 'advanced', execArgv: [] }),
      (started) => started.kill('SIGKILL'),
    );
    const [{ last } = { last: '0' }] = await rowsOf<{ last: string }>(
      target.database,
      'SELECT coalesce(max(id), 0) AS last FROM pet',
    );
    const measured = new MeasuredLoad(target, child, await postgres.pid(), last);
    await measured.#command({ job: { ...load, port: target.port } });
    return measured;
  }

  /** Loads the server for `ms`, first for `warmupMs` without measuring. */
  async turn(warmupMs: number, ms: number): Promise<void> {
    if (warmupMs > 0) await this.#command({ run: { ms: warmupMs, isMeasured: false } });
    const stopWatching = watchMemory(this.target.server.pid);
    this.#addUsage(-1);
    await this.#command({ run: { ms, isMeasured: true } });
    this.#addUsage(1);
    this.memory.push(...stopWatching());
  }

  async end(): Promise<Measurement> {
    const { result } = await this.#command({ end: true });
    this.child.kill('SIGKILL');
    const { responses, seconds, p50Ms, p99Ms, created } = result as LoadResult;
    await this.#expectStored(created);
    return {
      requestsPerSecond: responses / seconds,
      p50Ms,
      p99Ms,
      serverCpu: (this.#server / responses) * 1_000,
      postgresCpu: (this.#postgres / responses) * 1_000,
      peakBytes: Math.max(...this.memory),
    };
  }

  #addUsage(factor: 1 | -1): void {
    const [server = 0, postgres = 0] = cpuSecondsOfFamilies(this.target.server.pid, this.postgresPid);
    this.#server += factor * server;
    this.#postgres += factor * postgres;
  }

  /** @throws Error with the name of the server and the first wrong response. */
  async #command(command: LoadCommand): Promise<LoadReply> {
    this.child.send(command);
    const replied = once(this.child, 'message') as Promise<LoadReply[]>;
    const [reply = {}] = await Promise.race([replied, this.#ended]);
    const { name, server } = this.target;
    if (reply.failure === undefined) return reply;
    const output = server.output === '' ? '' : `\nIts last output:\n${server.output}`;
    throw new Error(`${name}: ${reply.failure}${output}`);
  }

  /** @throws Error unless exactly the acknowledged animals are stored. */
  async #expectStored({ count, idSum }: LoadResult['created']): Promise<void> {
    const { name, database } = this.target;
    const [row] = await rowsOf<{ count: string; sum: string }>(
      database,
      `SELECT count(*), coalesce(sum(id), 0) AS sum FROM pet WHERE id > ${this.lastId}`,
    );
    if (Number(row?.count) === count && Number(row?.sum) === idSum) return;
    throw new Error(`${name}: acknowledged ${count} animals (sum of the ids ${idSum}), stored ${JSON.stringify(row)}.`);
  }
}

async function rowsOf<Row extends object>(database: Client, sql: string): Promise<Row[]> {
  return (await database.query<Row & Record<string, unknown>>(sql)).rows;
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
