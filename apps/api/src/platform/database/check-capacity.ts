import pg from 'pg';
import type { Config } from '../config/config.js';
import { ConfigError } from '../errors/startup-error.js';
import { isPooled } from './check-pooler.js';

/** A process has a connection for notifications, and briefly another one. */
const notificationConnections = 2;

/**
 * Checks that the server allows the connections of all processes together. Otherwise requests would fail under load only.
 * Skipped behind a connection pooler, which has its own limits.
 * @throws ConfigError
 */
export async function checkCapacity(url: string, config: Config): Promise<void> {
  const { webConcurrency, databasePoolMax } = config;
  const available = await availableConnections(url, config.databaseStatementTimeoutMs);
  const needed = webConcurrency * (databasePoolMax + notificationConnections);
  if (needed <= available) return;
  throw new ConfigError([
    `WEB_CONCURRENCY=${webConcurrency} with DATABASE_POOL_MAX=${databasePoolMax} needs up to ${needed} database ` +
      `connections, but the server allows ${available}. ` +
      advice(Math.floor(available / webConcurrency) - notificationConnections),
  ]);
}

function advice(maxPoolMax: number): string {
  const alternatives = 'WEB_CONCURRENCY, or raise max_connections of the server';
  return maxPoolMax < 1 ? `Lower ${alternatives}` : `Lower DATABASE_POOL_MAX to ${maxPoolMax}, lower ${alternatives}`;
}

/** Without those that the server reserves for superusers and for some roles. */
async function availableConnections(url: string, timeoutMs: number): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  try {
    await client.connect();
    if (await isPooled(client)) return Infinity;
    const { rows } = await client.query<{ available: number }>(
      `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int AS available`,
    );
    return rows[0]?.available ?? 0;
  } finally {
    await client.end();
  }
}
