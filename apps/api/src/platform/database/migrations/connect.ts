import pg from 'pg';
import { MigrationError, reason } from './migration-error.js';

/** One connection, in the shape Prisma's adapter takes: a pool of one. */
export interface Session {
  pool: pg.Pool;
  user: string;
  database: string;
}

const oldestMajor = 15;

const advice: Record<string, string> = {
  ECONNREFUSED: 'Start the server, or correct the host and port in DATABASE_URL.',
  ENOENT: 'Start the server, or correct the host (the folder of its socket) in DATABASE_URL.',
  ENOTFOUND: 'Correct the name of the host in DATABASE_URL.',
  EAI_AGAIN: 'Correct the name of the host in DATABASE_URL, or wait until names can be resolved.',
  '28P01': 'Correct the user and the password in DATABASE_URL.',
  '28000': 'Correct the user in DATABASE_URL, or let it in on the server (pg_hba.conf).',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '53300': 'Raise max_connections of the server, or close connections of others.',
  '57P03': 'Wait until the server has started, then start again.',
};

/** Opens the database for migrations. Throws a MigrationError that never holds the password. */
export async function connect(url: string): Promise<Session> {
  const { host, port, user, database } = parse(url);
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 });
  try {
    await keepOneSession(pool);
    const { rows } = await pool.query<Identity>(identityQuery);
    const [identity] = rows;
    if (!identity) throw new Error('The server answers without a row.');
    checkVersion(identity.version);
    return { pool, user: identity.user, database: identity.database };
  } catch (error) {
    await pool.end();
    if (error instanceof MigrationError) throw error;
    const what = `Cannot open the database "${database}" at ${host}:${port} as the user "${user}"`;
    throw new MigrationError(`${what}: ${reason(error)} ${adviceFor(error)}`, { cause: error });
  }
}

/** A pool gives a connection up after an error of a query, and with it the lock and the transaction it holds. */
async function keepOneSession(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  // A session that breaks is reported by the query that misses it.
  client.on('error', () => undefined);
  const end = pool.end.bind(pool);
  Object.assign(pool, {
    query: client.query.bind(client),
    end: () => {
      client.release(true);
      return end();
    },
  });
}

interface Identity {
  version: string;
  user: string;
  database: string;
}

const identityQuery = `SELECT current_setting('server_version') AS version, current_user AS "user", current_database() AS database`;

/** Refuses a server that is older than what the service is tested with; `version` as the server names it: `14.9 (Debian)`. */
export function checkVersion(version: string): void {
  if (Number.parseInt(version, 10) >= oldestMajor) return;
  throw new MigrationError(
    `The server runs PostgreSQL ${version}, which is too old: PostgreSQL ${oldestMajor} or newer is needed. ` +
      'Upgrade it, or set DATABASE_URL to a newer one.',
  );
}

function adviceFor(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  // The password is missing or not the server's: the exchange about it broke off on this side.
  const known = message.startsWith('SASL') ? '28P01' : code;
  return advice[known] ?? 'Put that right, or correct DATABASE_URL.';
}

/** Without a cause: the error of an unreadable URL holds the URL. */
function parse(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url });
  } catch {
    throw new MigrationError('DATABASE_URL cannot be read: allowed is postgresql://user:password@host:5432/database.');
  }
}
