import { Client } from 'pg';
import { socketDirectory } from './data-directory.js';

/** For setup and the advisory locks. The permissions of the socket directory control access. */
export const superuser = 'postgres';
/** The service's role. It owns its database and nothing else. It may read statistics, for the metrics. */
const serviceRole = 'petstore';
const databaseName = 'petstore';

/** `isDown`: no server listens. Otherwise a server responded that is not ready yet. */
export type ConnectAttempt =
  | { readonly client: Client }
  | { readonly client?: never; readonly isDown: boolean; readonly reason: string };

/** `root` is the real path of the data directory. pg, Prisma and psql accept this URL. */
export function databaseUrl(root: string): string {
  const host = encodeURIComponent(socketDirectory(root)).replaceAll('%2F', '/');
  return `postgres://${serviceRole}@localhost:5432/${databaseName}?host=${host}`;
}

/**
 * Removes the variables of libpq, such as PGHOST, PGOPTIONS and PGSSLMODE, from this process. They mean another server. pg and
 * Prisma would use them for what the URL leaves open.
 */
export function forgetLibpqVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
}

/** The same server as its superuser, on the database `postgres`: for tests and administration. */
export function superuserUrl(url: string): string {
  const result = new URL(url);
  result.username = superuser;
  result.pathname = '/postgres';
  return result.href;
}

/** Connects to the database `postgres`, which holds the advisory locks. Never rejects. */
export async function tryConnect(socket: string, name: string): Promise<ConnectAttempt> {
  const client = new Client({
    host: socket,
    port: 5432,
    user: superuser,
    database: 'postgres',
    application_name: name,
    ssl: false,
    // No setting of the server may end this session or forbid the database.
    options: '-c default_transaction_read_only=off -c idle_session_timeout=0 -c statement_timeout=0',
    connectionTimeoutMillis: 5_000,
  });
  // The `end` event and the next query report a lost connection. An error without a listener would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { client };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return { isDown: code === 'ENOENT' || code === 'ECONNREFUSED', reason: message };
  }
}

/** Whether the connection broke, for example because PostgreSQL stops, rather than that the query failed. */
export function isServerGone(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return /^(08|57P)|^(ECONNRESET|EPIPE)$/.test(code) || /connection terminated|not queryable/i.test(message);
}

/** Creates the service's role and database unless they exist. */
export async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
  if (rowCount === 1) return;
  await createUnlessExists(client, `CREATE ROLE ${serviceRole} LOGIN IN ROLE pg_monitor`);
  await createUnlessExists(client, `CREATE DATABASE ${databaseName} OWNER ${serviceRole}`);
}

/** Another process may create it at the same time. */
async function createUnlessExists(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: { code?: string }) => {
    const isDuplicate = ['42P04', '42710', '23505'].includes(error.code ?? '');
    if (!isDuplicate) throw error;
  });
}

/*
 * Session-level advisory locks in PostgreSQL record which processes use it. PostgreSQL releases them when a process
 * ends, however it ends. Each process holds `attached` as a shared lock; one service also holds `supervisor`.
 */
// The first number keeps them apart from the locks of other programs.
const attached = '1885696883, 1';
const supervisor = '1885696883, 2';

/** Returns `false` while the last process is stopping PostgreSQL. */
export function attach(client: Client): Promise<boolean> {
  return tryLock(client, `pg_try_advisory_lock_shared(${attached})`);
}

/** Returns `true` for the last process. No other process can then attach, and this one must stop PostgreSQL. */
export async function detach(client: Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${attached})`);
  return tryLock(client, `pg_try_advisory_lock(${attached})`);
}

/** Takes the right to stop and restart PostgreSQL, which one process can hold. */
export function lockSupervisor(client: Client): Promise<boolean> {
  return tryLock(client, `pg_try_advisory_lock(${supervisor})`);
}

/** The application name of the process that holds the supervisor lock. */
export async function findSupervisor(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND (classid, objid) = (${supervisor})`,
  );
  return rows[0]?.name.replace('petstore-service', 'process') ?? 'unknown process';
}

async function tryLock(client: Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock} AS taken`);
  return rows[0]?.taken === true;
}
