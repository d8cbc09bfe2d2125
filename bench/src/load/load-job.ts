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

/** What a load process is told. */
export interface LoadJob {
  readonly port: number;
  /** Each has one request under way. */
  readonly connections: number;
  readonly warmupMs: number;
  /** Longer, when there is no answer by then. */
  readonly durationMs: number;
  /** Sent in this order, over and over, whichever connection is next. */
  readonly exchanges: readonly Exchange[];
}

/** An animal that a server said it added. */
export interface Added {
  readonly id: number;
  readonly body: string;
}

/** What a load process saw. Counts and times are of the measured time, without the warm-up. */
export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the load process itself. */
  readonly cpuSeconds: number;
  /** Animals that were added, those of the warm-up too. */
  readonly added: { readonly count: number; readonly idSum: number; readonly last: readonly Added[] };
}

/** What a load process says, in this order. */
export type LoadMessage =
  | { readonly is: 'measuring' }
  | { readonly is: 'measured' }
  | { readonly is: 'done'; readonly result: LoadResult }
  | { readonly is: 'failed'; readonly reason: string };
