import type { Socket } from 'node:net';
import pg from 'pg';
import { rejectStandby } from './standby.js';
import { sessionSettings, toStartupOptions } from './session-settings.js';

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
