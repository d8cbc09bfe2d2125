import pg from 'pg';
import { withConnection } from '../connection.js';

const begin = {
  /** Reads one snapshot of the database, however long that takes. */
  snapshot: 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY',
  write: 'BEGIN',
};

/** Runs `use` in a transaction, which may take long and sees every row: a policy that would hide some is an error. */
export function withTransaction<Result>(
  url: string,
  mode: keyof typeof begin,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  // A transaction without a COMMIT is rolled back when the connection ends.
  return withConnection(url, async (client) => {
    await client.query(begin[mode]);
    await client.query('SET LOCAL row_security = off');
    // Older servers do not have every setting.
    await client.query(
      `SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN
         ('lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
    );
    const result = await use(client);
    await client.query('COMMIT');
    return result;
  });
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
