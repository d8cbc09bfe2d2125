import type { Socket } from 'node:net';
import pg from 'pg';
import { patienceMs } from '../errors/patience.js';
import { isNamedQuery, PreparedQuery } from './prepared-query.js';

export interface DatabaseOptions {
  url: string;
  /** Connections this process may open. */
  poolMax: number;
  statementTimeoutMs: number;
}

/** The connections of this process. */
export function makePool({ url, poolMax, statementTimeoutMs }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withSession(url),
    max: poolMax,
    application_name: 'petstore',
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: statementTimeoutMs,
    keepAlive: true,
  });
  // The server keeps its own time; this one is for a server that has stopped answering.
  breakSilentConnections(pool, statementTimeoutMs + 500);
  prepareStatements(pool);
  return pool;
}

/**
 * In UTC, because Prisma's adapter reads and writes timestamps without a zone. Each statement is planned once a
 * connection: for one page, planning took longer than the page. Who waits for a lock gives up while its request still
 * waits, so that little is done of what was told to try again. What the URL sets for the session stays.
 */
const session = `-c TimeZone=UTC -c plan_cache_mode=force_generic_plan -c lock_timeout=${patienceMs - 1000}`;

function withSession(text: string): string {
  const url = new URL(text);
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${session}`.trim());
  return url.href;
}

/**
 * Gives a connection up that is in use and brings nothing for so long. pg's own query_timeout does the same with a
 * timer and a callback for each query, by which V8 keeps the results of all queries until its next full collection:
 * these then took a quarter of the CPU under load.
 */
function breakSilentConnections(pool: pg.Pool, ms: number): void {
  const socketOf = ({ connection }: pg.PoolClient) => connection.stream as Socket;
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.on('timeout', () => socket.destroy(new Error(`Connection terminated: no answer within ${ms} ms`)));
  });
  pool.on('acquire', (client) => socketOf(client).setTimeout(ms));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** Takes our query for statements that are prepared, which Prisma's adapter asks for by a name and rows as arrays. */
function prepareStatements(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  const prepare = (given: unknown) => (isNamedQuery(given) ? new PreparedQuery(given) : given);
  pool.query = ((first: unknown, ...others: unknown[]) => query(prepare(first), ...others)) as typeof pool.query;
}
