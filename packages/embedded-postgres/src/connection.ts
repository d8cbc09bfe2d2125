import { Client } from 'pg';
import { socketDirectory } from './data-directory.js';

/** For setup and the advisory locks. The permissions of the socket directory control access. */
export const superuser = 'postgres';
export const serviceRole = 'petstore';
export const databaseName = 'petstore';

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

/** Connects to the database `postgres`, which holds the advisory locks. */
export async function connect(socket: string): Promise<Client> {
  const client = new Client({
    host: socket,
    port: 5432,
    user: superuser,
    database: 'postgres',
    application_name: 'petstore-lock',
    ssl: false,
    // No setting of the server may end this session or forbid the database.
    options: '-c default_transaction_read_only=off -c idle_session_timeout=0 -c statement_timeout=0',
    connectionTimeoutMillis: 5_000,
  });
  // The `end` event and the next query report a lost connection. An error without a listener would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Whether no server listens. Otherwise a server responded that is not ready yet. */
export function isDown(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/*
 * Session-level advisory locks in PostgreSQL record which processes use it. PostgreSQL releases them when a process
 * ends, however it ends. Each process holds `users` as a shared lock; one service also holds `service`.
 */
// The first number keeps them apart from the locks of other programs.
const users = '1885696883, 1';
const service = '1885696883, 2';

/** One service can use a data directory, and any number of commands. */
export type Role = 'service' | 'command';

/** Registers a process. Returns `false` if it is a second service, or while the last process is stopping PostgreSQL. */
export function register(client: Client, role: Role): Promise<boolean> {
  const shared = `pg_try_advisory_lock_shared(${users})`;
  return tryLock(client, role === 'service' ? `${shared} AND pg_try_advisory_lock(${service})` : shared);
}

/** Returns `true` for the last process. No other process can then register, and this one must stop PostgreSQL. */
export async function unregister(client: Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${users})`);
  return tryLock(client, `pg_try_advisory_lock(${users})`);
}

async function tryLock(client: Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock} AS taken`);
  return rows[0]?.taken === true;
}
