import { ExplainedError } from '@petstore/contracts';
import { withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';

/** Notices a server that vanished while a connection is idle: after 5 s, TCP probes it 10 times, once per second. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5000 };

/** Injects the URL of the open database, for what may take longer than a request. */
export const DATABASE_URL = Symbol('database URL');

const connectTimeoutMs = 10_000;

/**
 * Runs `use` on a connection next to those of the pool, for what may take longer than a request. `timeoutMs` limits each of its
 * statements. Without it, they have no limit.
 * @throws ExplainedError if the server is a standby
 */
export async function withConnection<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
  timeoutMs = 0,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: withSessionSettings(url, { statement_timeout: String(timeoutMs) }),
    application_name: 'petstore',
    connectionTimeoutMillis: connectTimeoutMs,
    // Detects a server that is gone. The server itself enforces the other limit.
    ...(timeoutMs > 0 && { query_timeout: timeoutMs + 500 }),
    ...keepAlive,
  });
  // The next query reports a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await rejectStandby(client);
    return await use(client);
  } finally {
    await client.end();
  }
}

/** A failover may have just turned the primary into a standby. */
class StandbyError extends ExplainedError {
  /** SQLSTATE of a statement that needs the primary. */
  readonly code = '25006';
}

/** Reads from a standby could lack what was acknowledged before. */
export async function rejectStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"');
  if (rows[0]?.isStandby) {
    throw new StandbyError('The database server is a standby. DATABASE_URL must lead to the primary.');
  }
}
