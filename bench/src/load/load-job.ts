/** A request, and the answer that it must get. */
export interface Exchange {
  /** To the byte: request line, headers and body. */
  readonly request: string;
  readonly status: number;
  /** The body of the answer, to the byte; of a create, what follows the id. */
  readonly body: string;
  /** The answer begins with an id that the server assigns: `{"id":` and digits before `body`. */
  readonly assignsId?: boolean;
}

/** What a load process is told: jobs that take so many turns, one at a time. */
export interface LoadOrder {
  readonly jobs: readonly LoadJob[];
  readonly turns: number;
}

/** Of one server. */
export interface LoadJob {
  readonly port: number;
  /** Each has one request under way. */
  readonly connections: number;
  /** Of each turn. */
  readonly warmupMs: number;
  /** Of each turn; longer, when there is no answer by then. */
  readonly durationMs: number;
  /** Sent in this order, over and over, whichever connection is next. */
  readonly exchanges: readonly Exchange[];
}

/** An animal that a server said it added. */
export interface Added {
  readonly id: number;
  readonly body: string;
}

/** What a load process saw in all turns of a job. Counts and times are of the measured time, without the warm-ups. */
export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the load process itself. */
  readonly cpuSeconds: number;
  /** Animals that were added, those of the warm-ups too. */
  readonly added: { readonly count: number; readonly idSum: number; readonly last: readonly Added[] };
}

/**
 * What a load process says: of each turn that it is about to measure it, and that it has, by the number of the job, and
 * it waits each time for any message; then how it ended.
 */
export type LoadMessage =
  | { readonly is: 'measuring' | 'measured'; readonly job: number }
  | { readonly is: 'done'; readonly results: readonly LoadResult[] }
  | { readonly is: 'failed'; readonly job: number; readonly reason: string };
