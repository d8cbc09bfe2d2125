import type { Socket } from 'node:net';
import pg from 'pg';
import { databaseTimeoutMs } from '../clock.js';

export interface PoolOptions {
  url: string;
  /** The maximum number of connections. */
  max: number;
  statementTimeoutMs: number;
}

/** Notices a server that vanished while a connection is idle: after 5 s, TCP probes it 10 times, once per second. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5000 };

/** The database connections of this process. */
export function createPool({ url, max, statementTimeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withSessionSettings(url, statementTimeoutMs),
    max,
    application_name: 'petstore',
    connectionTimeoutMillis: statementTimeoutMs,
    ...keepAlive,
    verify: rejectStandby,
  });
  // An idle connection that breaks is replaced at the next query. Without listeners, the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  closeSilentConnections(pool, statementTimeoutMs + 500);
  return pool;
}

/** Options in the URL take effect first, so that these settings win. */
function withSessionSettings(url: string, statementTimeoutMs: number): string {
  const result = new URL(url);
  const settings = toStartupOptions(sessionSettings(statementTimeoutMs));
  result.searchParams.set('options', `${result.searchParams.get('options') ?? ''} ${settings}`.trim());
  return result.href;
}

/**
 * Closes a connection in use whose server has sent nothing for `timeoutMs`. The server enforces the statement timeout;
 * this one detects a server that is gone. The `query_timeout` of pg does the same, but took a quarter of the CPU.
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

export interface SessionSetting {
  name: string;
  /** In milliseconds for a timeout, as in `pg_settings`. */
  value: string;
  /** Whether a shorter value is also acceptable. 0 means no timeout. */
  isTimeout: boolean;
}

/**
 * UTC, because Prisma's adapter reads and writes timestamps without a zone. Generic plans, because planning a page takes
 * longer than reading it. A lock timeout shorter than the request's timeout, so that a rejected request has no effect
 * later. READ COMMITTED, because the statements are written for it.
 */
export function sessionSettings(statementTimeoutMs: number): SessionSetting[] {
  return [
    { name: 'statement_timeout', value: String(statementTimeoutMs), isTimeout: true },
    { name: 'lock_timeout', value: String(databaseTimeoutMs - 1000), isTimeout: true },
    { name: 'plan_cache_mode', value: 'force_generic_plan', isTimeout: false },
    { name: 'default_transaction_isolation', value: 'read committed', isTimeout: false },
    { name: 'TimeZone', value: 'UTC', isTimeout: false },
  ];
}

/** As the startup parameter `options`. */
function toStartupOptions(settings: readonly SessionSetting[]): string {
  return settings.map(({ name, value }) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`).join(' ');
}

/** The server of a new connection is a standby. A failover may have just turned the primary into one. */
class StandbyError extends Error {
  /** SQLSTATE of a statement that needs the primary. */
  readonly code = '25006';

  constructor() {
    super('The database server is a standby. DATABASE_URL must lead to the primary');
  }
}

/** The `verify` of a pool. Reads from a standby could lack what was acknowledged before. */
function rejectStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
    .then(({ rows }) => (rows[0]?.isStandby ? new StandbyError() : undefined))
    .then(done, done);
}

/**
 * Makes pg treat `sslmode` as libpq does: `require` encrypts without verifying the certificate. Without this parameter, pg
 * verifies it like `verify-full` and logs a warning.
 */
export function withLibpqSslModes(url: string): string {
  const result = new URL(url);
  if (!result.searchParams.has('sslmode')) return url;
  result.searchParams.set('uselibpqcompat', 'true');
  return result.href;
}
