import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import { checkPooler } from './check-pooler.js';
import { checkRights, type DatabaseRights } from './check-rights.js';
import { checkSettings } from './check-settings.js';
import { createPool } from './pool.js';

interface ConnectionCheck {
  url: string;
  statementTimeoutMs: number;
  rights: DatabaseRights;
}

/**
 * Checks at the start what would otherwise fail for some requests only: the session settings, the connection pooler if
 * there is one, and the rights of the role.
 * @throws ExplainedError
 */
export async function checkConnections({ url, statementTimeoutMs, rights }: ConnectionCheck): Promise<void> {
  const pool = createPool({ url, max: 2, statementTimeoutMs });
  const clients: pg.PoolClient[] = [];
  const connect = async () => {
    const client = await pool.connect();
    clients.push(client);
    return client;
  };
  try {
    const client = await connect();
    await checkSettings(client, statementTimeoutMs);
    await checkPooler(client, connect);
    await checkRights(client, rights);
  } catch (error) {
    throw error instanceof ExplainedError ? error : explain(error as Error);
  } finally {
    for (const client of clients) client.release();
    await pool.end();
  }
}

function explain(error: Error): ExplainedError {
  if (error.message.includes('unsupported startup parameter')) {
    return new ExplainedError(
      `The connection pooler rejects the settings of the service: ${error.message}. For PgBouncer, set ` +
        'ignore_startup_parameters = options in pgbouncer.ini. See docs/postgresql.md, "PgBouncer".',
      { cause: error },
    );
  }
  const message = `The check of the database connection failed: ${error.message}. Fix this, or correct DATABASE_URL.`;
  return new ExplainedError(message, { cause: error });
}
