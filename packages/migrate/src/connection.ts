import { Client } from 'pg';
import { ConnectionError, MigrationError, reason } from './migration-error.js';
import { withSessionSettings } from './session-settings.js';

const oldestMajor = 15;

/**
 * The migration lock and the transactions belong to this one connection. Its statements wait `lockTimeoutMs` for a lock.
 * @throws MigrationError, or ConnectionError, that never contains the password.
 */
export async function connect(url: string, lockTimeoutMs = 60_000): Promise<Client> {
  // The connection is idle while the start backs up the database, or waits for another process.
  const settings = { lock_timeout: String(lockTimeoutMs), idle_session_timeout: '0', statement_timeout: '0' };
  const connectionString = withSessionSettings(url, settings);
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  // The next query reports a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await checkServer(client);
    return client;
  } catch (error) {
    await client.end();
    if (error instanceof MigrationError) throw error;
    const { host, port, user, database } = client;
    throw new ConnectionError(
      `Cannot connect to the database "${database}" at ${host}:${port} as user "${user}": ${reason(error)} ` +
        'Fix this, or correct DATABASE_URL.',
      { cause: error },
    );
  }
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<
    Record<'version' | 'user' | 'database' | 'encoding', string> & { schema?: string }
  >(
    `SELECT current_setting('server_version') AS version, quote_ident(current_user) AS "user",
       current_database() AS database, current_setting('server_encoding') AS encoding, current_schema() AS schema`,
  );
  const [server] = rows;
  if (!server) return;
  checkVersion(server.version);
  // In another encoding, PostgreSQL rejects some names, or (SQL_ASCII) does not know the letters in a search.
  if (server.encoding !== 'UTF8') {
    throw new MigrationError(
      `The database "${server.database}" has the encoding ${server.encoding}, but UTF8 is required. Create a new one, and set ` +
        `DATABASE_URL to it:\n  CREATE DATABASE NAME OWNER ${server.user} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8';`,
    );
  }
  if (server.schema) return;
  throw new MigrationError(
    `The user ${server.user} may not use any schema of its search_path. Run GRANT USAGE ON SCHEMA public TO ${server.user}.`,
  );
}

/** `version` is the server's own text, such as `14.9 (Debian)`. */
export function checkVersion(version: string): void {
  if (Number.parseInt(version, 10) >= oldestMajor) return;
  throw new MigrationError(
    `The server runs PostgreSQL ${version}, but PostgreSQL ${oldestMajor} or newer is required. ` +
      'Upgrade it, or set DATABASE_URL to a newer server.',
  );
}
