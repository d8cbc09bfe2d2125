import type { Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type SessionSettings, withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';
import { databaseTimeoutMs, withTimeout } from '../time-limit.js';

export interface PoolOptions {
  url: string;
  /** The maximum number of connections. */
  max: number;
  statementTimeoutMs: number;
}

/** Most probes time out after a few seconds. */
const pingTimeoutMs = 2000;

/** Notices a server that vanished while a connection is idle: after 5 s, TCP probes it 10 times, once per second. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5000 };

/**
 * The database connections of this process. Prisma's client (prisma.service.ts) uses them too. Only the statements that must
 * be fast run here without Prisma (docs/design.md).
 */
@Injectable()
export class DatabasePool extends pg.Pool implements OnApplicationShutdown {
  readonly statementTimeoutMs: number;
  private pingInProgress: Promise<void> | undefined;

  constructor({ url, max, statementTimeoutMs }: PoolOptions) {
    super({
      connectionString: withSessionSettings(url, poolSettings(statementTimeoutMs)),
      max,
      application_name: 'petstore',
      connectionTimeoutMillis: statementTimeoutMs,
      ...keepAlive,
      verify: rejectStandby,
    });
    this.statementTimeoutMs = statementTimeoutMs;
    // An idle connection that breaks is replaced at the next query. Without listeners, the error would end the process.
    this.on('error', () => undefined);
    this.on('connect', (client) => client.on('error', () => undefined));
    closeSilentConnections(this, statementTimeoutMs + 500);
  }

  /** Rejects if the database does not respond within 2 s. Concurrent calls share one query. */
  ping(): Promise<void> {
    this.pingInProgress ??= this.query('SELECT 1')
      .then(() => undefined)
      .finally(() => (this.pingInProgress = undefined));
    return withTimeout(this.pingInProgress, pingTimeoutMs);
  }

  /** Waits for running statements, then closes the connections. */
  onApplicationShutdown(): Promise<void> {
    return this.end();
  }
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

/**
 * The settings of the pool alone. The lock timeout is shorter than that of a request, so that a rejected request has no
 * effect later. Generic plans, because planning a page takes longer than reading it.
 */
export function poolSettings(statementTimeoutMs: number): SessionSettings {
  return {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(databaseTimeoutMs - 1000),
    plan_cache_mode: 'force_generic_plan',
  };
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
export function rejectStandby(client: pg.ClientBase, done: (error?: Error) => void): void {
  client
    .query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
    .then(({ rows }) => (rows[0]?.isStandby ? new StandbyError() : undefined))
    .then(done, done);
}

/**
 * Makes pg treat the TLS parameters as libpq does: `sslmode=require` encrypts without verifying the certificate. Without
 * `sslmode`, pg verifies it like `verify-full` and logs a warning. `sslrootcert=system` means the public authorities, which
 * are those of Node.
 */
export function withLibpqSslModes(url: string): string {
  const result = new URL(url);
  const { searchParams } = result;
  if (searchParams.get('sslrootcert') === 'system') {
    searchParams.delete('sslrootcert');
    searchParams.set('sslmode', 'verify-full');
  }
  if (!searchParams.has('sslmode')) return url;
  searchParams.set('uselibpqcompat', 'true');
  return result.href;
}
