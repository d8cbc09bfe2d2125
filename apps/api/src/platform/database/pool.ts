import type { Socket } from 'node:net';
import pg from 'pg';
import { databaseTimeoutMs } from '../errors/timeout.js';

export interface PoolOptions {
  url: string;
  /** The maximum number of connections. */
  max: number;
  statementTimeoutMs: number;
}

/**
 * UTC, because Prisma's adapter reads and writes timestamps without a zone. Generic plans, because planning a page takes
 * longer than reading it. A lock timeout shorter than the request's timeout, so that a rejected request has no effect
 * later. READ COMMITTED, because the statements are written for it.
 */
const sessionSettings = [
  '-c TimeZone=UTC',
  '-c plan_cache_mode=force_generic_plan',
  `-c lock_timeout=${databaseTimeoutMs - 1000}`,
  String.raw`-c default_transaction_isolation=read\ committed`,
].join(' ');

/** The database connections of this process. */
export function createPool({ url, max, statementTimeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withSessionSettings(url),
    max,
    application_name: 'petstore',
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: statementTimeoutMs,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next query. Without listeners, the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  closeSilentConnections(pool, statementTimeoutMs + 500);
  return pool;
}

/** Options in the URL take effect first, so that these settings win. */
function withSessionSettings(url: string): string {
  const result = new URL(url);
  result.searchParams.set('options', `${result.searchParams.get('options') ?? ''} ${sessionSettings}`.trim());
  return result.href;
}

/**
 * Closes a connection in use whose server has sent nothing for `timeoutMs`. The server enforces the statement timeout;
 * this one detects a server that is gone. pg's own `query_timeout` does the same, but took a quarter of the CPU.
 */
function closeSilentConnections(pool: pg.Pool, timeoutMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    const error = new Error(`Connection terminated: no response from the database within ${timeoutMs} ms`);
    socket.on('timeout', () => socket.destroy(error));
  });
  pool.on('acquire', (client) => socketOf(client).setTimeout(timeoutMs));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

function socketOf({ connection }: pg.PoolClient): Socket {
  return connection.stream as Socket;
}
