import { withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';

/** Reads one snapshot of the database, however long that takes. */
export const snapshot = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
export const readWrite = 'ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Runs `use` in a transaction on a separate connection. Rolls back if it fails. */
export async function withTransaction<Result>(
  url: string,
  mode: typeof snapshot | typeof readWrite,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: withSessionSettings(url),
    application_name: 'petstore backup',
    keepAlive: true,
  });
  // The next query reports a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`BEGIN TRANSACTION ${mode}`);
    const result = await use(client);
    await client.query('COMMIT');
    return result;
  } finally {
    // Without a COMMIT, this rolls back.
    await client.end();
  }
}

/** Lets the transaction take long, and see every row: a policy that would hide some is an error. */
export async function removeLimits(client: pg.Client): Promise<void> {
  await client.query('SET LOCAL row_security = off');
  // Older servers do not have every setting.
  await client.query(
    `SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN
       ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
}

/** The names of the migrations that the database has, in their order. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows.map(({ name }) => name);
}

export function quoted(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}
