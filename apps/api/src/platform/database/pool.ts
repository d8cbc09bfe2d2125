import type { Socket } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type SessionSettings, withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';
import { type Config, CONFIG } from '../config/config.js';
import { Metrics } from '../metrics/metrics.js';
import { lockTimeoutMs, withTimeout } from '../time-limit.js';
import { DATABASE_URL, keepAlive, rejectStandby } from './connection.js';

/** Most probes time out after a few seconds. */
const pingTimeoutMs = 2000;

/**
 * The database connections of this process. Prisma's client (prisma.service.ts) uses them too. Only the statements that must
 * be fast run here without Prisma (docs/design.md).
 */
@Injectable()
export class DatabasePool extends pg.Pool implements OnApplicationShutdown {
  readonly statementTimeoutMs: number;
  private pingInProgress: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE_URL) url: string,
    @Inject(CONFIG) config: Pick<Config, 'databasePoolMax' | 'databaseStatementTimeoutMs'>,
    metrics: Metrics,
  ) {
    const timeoutMs = config.databaseStatementTimeoutMs;
    super({
      connectionString: withSessionSettings(url, poolSettings(timeoutMs)),
      max: config.databasePoolMax,
      application_name: 'petstore',
      connectionTimeoutMillis: timeoutMs,
      ...keepAlive,
      verify: (client, done) => void rejectStandby(client).then(() => done(), done),
    });
    this.statementTimeoutMs = timeoutMs;
    // An idle connection that breaks is replaced at the next query. Without listeners, the error would end the process.
    this.on('error', () => undefined);
    this.on('connect', (client) => client.on('error', () => undefined));
    closeSilentConnections(this, timeoutMs + 500);
    addMetrics(metrics, this);
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

function addMetrics(metrics: Metrics, pool: DatabasePool): void {
  metrics.gauge(
    'petstore_database_connections',
    'Database connections: busy, idle, and how many the process may open (max).',
    () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, max: pool.options.max }),
    'state',
  );
  const waiters = 'Statements that wait for a database connection.';
  metrics.gauge('petstore_database_connection_waiters', waiters, () => pool.waitingCount);
  // This gauge comes last, because a ping uses a connection.
  metrics.gauge('petstore_database_up', 'Whether the database responds: 1 or 0.', () =>
    pool.ping().then(
      () => 1,
      () => 0,
    ),
  );
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
function poolSettings(statementTimeoutMs: number): SessionSettings {
  return {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs),
    plan_cache_mode: 'force_generic_plan',
  };
}
