import type { Config } from '../config/config.js';
import { ConfigError } from '../errors/startup-error.js';

/** Fixed limits of the HTTP server, next to the setting BODY_LIMIT_BYTES. Tests pass others to `createApp`. */
export const httpLimits = {
  /** Longer than the idle time of common reverse proxies (60 s), so that they close first. */
  keepAliveTimeoutMs: 75_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /**
   * Closes a connection on which no byte moves while a request is in progress. Longer than the timeouts above, which
   * send a 408 first.
   */
  stalledTimeoutMs: 40_000,
  headerBytes: 16_384,
  headerLines: 100,
  /** How often Node checks the timeouts of headers and requests. */
  connectionsCheckIntervalMs: 1000,
  /** Requests of one connection without a response (HTTP pipelining). A connection that sends more is closed at once. */
  requestsPerConnection: 64,
  /** Fewer if the limit of open files is low: see `connectionLimit`. */
  maxConnections: 10_000,
  /**
   * How much of a body the service reads after its response, and for how long: a client in the middle of a body can read
   * the response, and a small body leaves its connection open.
   */
  unreadBodyBytes: 65_536,
  unreadBodyMs: 1000,
  /** Slots of a process; further requests get 503. About 0.1 s of work: more would only cost memory. One key gets half. */
  maxRequestsInProgress: 400,
  /** How long requests may take to start in a turn of the event loop. */
  startTurnMs: 2,
  /** How long the requests of one key may then take to parse in a turn. */
  keyTurnMs: 1,
  rejectionDelayMs: 1000,
  /** Connections that the kernel queues until they are accepted. Linux allows up to net.core.somaxconn. */
  backlog: 4096,
};

export type HttpLimits = Readonly<typeof httpLimits>;

/** Open files without the clients' connections and the pool: the log, libraries, sockets, and connections for metrics. */
const otherFiles = 100;
const minConnections = 20;

/**
 * The `maxConnections` for a limit of open files, which each connection can need twice: for itself and for a file that it
 * reads. Without this, the system would close further connections, and nothing would log it.
 * @throws ConfigError if the limit is too low.
 */
export function connectionLimit(openFiles: number, { databasePoolMax }: Pick<Config, 'databasePoolMax'>): number {
  const fixed = otherFiles + databasePoolMax;
  const connections = Math.floor((openFiles - fixed) / 2);
  if (connections >= minConnections) return Math.min(connections, httpLimits.maxConnections);
  const least = fixed + 2 * minConnections;
  throw new ConfigError([`the limit of open files (ulimit -n) must be at least ${least}, not ${openFiles}`]);
}

/** The limit of open files of this process, which Node has raised as far as it may. */
export function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | 'unlimited' } } };
  // Windows has none.
  const limit = userLimits?.open_files.soft ?? 'unlimited';
  return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : limit;
}
