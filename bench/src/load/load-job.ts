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

/** The input of a load process: jobs that run in turns, one at a time. */
export interface LoadOrder {
  readonly jobs: readonly LoadJob[];
  readonly turns: number;
}

/** The load on one server. */
export interface LoadJob {
  readonly port: number;
  /** Each has one request in flight. */
  readonly connections: number;
  /** Per turn. */
  readonly warmupMs: number;
  /** Per turn. Extended until the first response. */
  readonly durationMs: number;
  /** Sent repeatedly in this order, on whichever connection is free. */
  readonly exchanges: readonly Exchange[];
}

/** An animal that a server acknowledged. */
export interface Added {
  readonly id: number;
  readonly body: string;
}

/** The measurements of all turns of a job, without the warm-ups. */
export interface LoadResult {
  readonly responses: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the load process. */
  readonly cpuSeconds: number;
  /** The acknowledged animals, including those of the warm-ups. */
  readonly added: { readonly count: number; readonly idSum: number; readonly last: readonly Added[] };
}

/**
 * A message of a load process. It sends `measuring` and `measured` in each turn, with the index of the job, and waits for
 * a message after each. The last message is `done` or `failed`.
 */
export type LoadMessage =
  | { readonly type: 'measuring' | 'measured'; readonly job: number }
  | { readonly type: 'done'; readonly results: readonly LoadResult[] }
  | { readonly type: 'failed'; readonly job: number; readonly reason: string };
