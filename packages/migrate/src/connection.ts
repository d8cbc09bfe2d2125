import { Client, type QueryConfig } from 'pg';
import { ConnectionError, MigrationError, MissingRightError, reason } from './migration-error.js';
import { withSessionSettings } from './session-settings.js';

/** One connection. The migration lock and the transactions belong to it. */
export interface DatabaseConnection {
  client: Client;
  user: string;
  database: string;
  /** Whether a connection pooler is between this process and the server. */
  isPooled: boolean;
}

/** A statement that only reads, and waits for 10 s at most. The types of pg lack this option. */
export function readStatement(text: string): QueryConfig {
  return Object.assign({ text }, { query_timeout: 10_000 });
}

const oldestMajor = 15;
const urlFormat = 'The format is postgresql://user:password@host:5432/database.';

const advice: Record<string, string> = {
  'Query read timeout': 'Resume the server, or the connection pooler in front of it, then restart.',
  'timeout expired': 'Start the server, or correct the host and port in DATABASE_URL.',
  ECONNREFUSED: 'Start the server, or correct the host and port in DATABASE_URL.',
  ENOENT: 'Start the server, or correct the host (the directory of its socket) in DATABASE_URL.',
  ENOTFOUND: 'Correct the host name in DATABASE_URL.',
  EAI_AGAIN: 'Correct the host name in DATABASE_URL, or restart when name resolution works.',
  // PostgreSQL does not reveal that a password has expired.
  '28P01': 'Correct the user and the password in DATABASE_URL, or renew a password that expired (VALID UNTIL).',
  '28000': 'Correct the user in DATABASE_URL, or allow it on the server (pg_hba.conf).',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '53300':
    'Raise this limit (max_connections, or CONNECTION LIMIT of the role or database), or close other connections.',
  '57P03': 'Restart when the server has started.',
  '42501': 'Grant the right, or correct the user in DATABASE_URL.',
};

/** @throws MigrationError, or ConnectionError, that never contains the password. */
export async function connect(url: string): Promise<DatabaseConnection> {
  const client = newClient(url);
  const { host, port, user, database } = client;
  // The next query reports a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const server = await describeServer(client);
    checkVersion(server.version);
    checkEncoding(server);
    if (!server.hasSchema) throw noSchema(server.user);
    // A connection pooler invents the process id that it gives to its clients.
    const { processID } = client as { processID?: number };
    return { client, user: server.user, database: server.database, isPooled: server.pid !== processID };
  } catch (error) {
    await client.end();
    if (error instanceof MigrationError) throw error;
    const what = `Cannot connect to the database "${database}" at ${host}:${port} as user "${user}"`;
    throw new ConnectionError(`${what}: ${reason(error)} ${adviceFor(error)}`, { cause: error });
  }
}

/** Without a cause: the error contains the URL, and thus the password. */
function newClient(url: string): Client {
  const client = parseUrl(url);
  // Neither the URL nor PGUSER or USER names one. PostgreSQL would reject the connection.
  if (!client?.user) throw new MigrationError(`DATABASE_URL ${client ? 'has no user' : 'is not valid'}. ${urlFormat}`);
  // Without a port in the URL, pg uses PGPORT. A connection to an invalid one would never end.
  if (client.port > 0 && client.port <= 65_535) return client;
  throw new MigrationError('The port in DATABASE_URL, or in PGPORT, must be an integer from 1 to 65535.');
}

function parseUrl(url: string): Client | undefined {
  try {
    // The connection is idle while the start backs up the database, or waits for another process.
    const connectionString = withSessionSettings(url, { idle_session_timeout: '0' });
    return new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  } catch {
    return undefined;
  }
}

interface ServerRow {
  version: string;
  user: string;
  database: string;
  encoding: string;
  hasSchema: boolean;
  pid: number;
}

async function describeServer(client: Client): Promise<ServerRow> {
  // A pooler on hold accepts a connection, and lets its statements wait.
  const { rows } = await client.query<ServerRow>(
    readStatement(
      `SELECT current_setting('server_version') AS version, current_user AS "user", current_database() AS database,
         current_setting('server_encoding') AS encoding, current_schema() IS NOT NULL AS "hasSchema", pg_backend_pid() AS pid`,
    ),
  );
  const [server] = rows;
  if (!server) throw new Error('The server returned no row.');
  return server;
}

function noSchema(user: string): MissingRightError {
  return new MissingRightError(
    `The user "${user}" may not use any schema of its search_path. Run GRANT USAGE ON SCHEMA public TO "${user}".`,
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

/** In another encoding, PostgreSQL rejects some names, or (SQL_ASCII) does not know the letters in a search. */
function checkEncoding({ database, encoding, user }: ServerRow): void {
  if (encoding === 'UTF8') return;
  const [name, owner] = [database, user].map((one) => `"${one.replaceAll('"', '""')}"`);
  throw new MigrationError(
    `The database ${name} has the encoding ${encoding}, but UTF8 is required. Create a new one, and set DATABASE_URL to it:\n` +
      `  CREATE DATABASE NAME OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8';`,
  );
}

function adviceFor(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  // pg itself reports a missing or wrong password during SASL authentication, without a code.
  const known = message.startsWith('SASL') ? '28P01' : code;
  return advice[known] ?? advice[message] ?? 'Fix this, or correct DATABASE_URL.';
}
