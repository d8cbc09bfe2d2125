import pg from 'pg';

/** Settings that could cancel a long transaction, or change how COPY writes values. */
const settings = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
  DateStyle: 'ISO, YMD',
  TimeZone: 'UTC',
  bytea_output: 'hex',
};

/** Older servers do not have every setting. */
const applySettings = `
  SELECT set_config(name, value, true)
  FROM unnest($1::text[], $2::text[]) AS setting(name, value) JOIN pg_settings USING (name)`;

/** Reads one snapshot of the database, however long that takes. */
export const snapshot = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
export const readWrite = 'ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Runs `use` in a transaction on a separate connection. Rolls back if it fails. */
export async function withTransaction<Result>(
  url: string,
  mode: typeof snapshot | typeof readWrite,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'petstore backup', keepAlive: true });
  // The next query reports a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`BEGIN TRANSACTION ${mode}`);
    await client.query(applySettings, [Object.keys(settings), Object.values(settings)]);
    const result = await use(client);
    await client.query('COMMIT');
    return result;
  } finally {
    // Without a COMMIT, this rolls back.
    await client.end();
  }
}
