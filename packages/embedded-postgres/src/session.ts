import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type DatabaseError } from 'pg';
import { superuser } from './cluster.js';
import type { DataDirectory } from './data-directory.js';
import { EmbeddedPostgresError, RetryableError } from './embedded-postgres-error.js';
import { startPostmaster } from './postmaster.js';

const timeoutMs = 60_000;
const reportMs = 5_000;
const retryMs = 50;
/** The session of a killed service may end slightly later. */
const lockTimeoutMs = 2_000;
/** A PostgreSQL that does not respond must not prevent the stop of the service. */
const queryTimeoutMs = 5_000;
const lockNotAvailable = '55P03';

/** One service can use a data directory, and any number of commands. */
export type Role = 'service' | 'command';

interface SessionOptions {
  readonly directory: DataDirectory;
  readonly role: Role;
  readonly log: (message: string) => void;
  /** Cancels the wait for PostgreSQL. */
  readonly signal?: AbortSignal;
}

/*
 * Session-level advisory locks in PostgreSQL record which processes use it. PostgreSQL releases them when a process
 * ends, however it ends. Each process holds `users` as a shared lock; one service also holds `service`.
 */
// The first number keeps them apart from the locks of other programs.
const users = '1885696883, 1';
const service = '1885696883, 2';

/**
 * Opens the session that holds this process's advisory locks. Starts PostgreSQL if needed.
 * @throws EmbeddedPostgresError when PostgreSQL does not start, is not ready within 60 s, or has another service.
 */
export async function openSession(options: SessionOptions): Promise<Client> {
  const { directory, log, signal } = options;
  const begin = performance.now();
  const slow = `PostgreSQL is starting, and may be recovering its data. Its log is ${directory.log}.`;
  const report = setInterval(log, reportMs, slow);
  try {
    for (;;) {
      try {
        const client = await connect(directory);
        if (client) return await takeLocks(client, options);
        await startPostmaster(directory, signal);
      } catch (error) {
        if (!(error instanceof RetryableError) || performance.now() - begin > timeoutMs) throw error;
        await sleep(retryMs, undefined, signal && { signal });
      }
    }
  } finally {
    clearInterval(report);
  }
}

/** @throws EmbeddedPostgresError when another service has the lock, RetryableError when PostgreSQL stops meanwhile. */
async function takeLocks(client: Client, { directory, role }: SessionOptions): Promise<Client> {
  try {
    await client.query(`SELECT pg_advisory_lock_shared(${users})`);
    if (role === 'service') await client.query(`SELECT pg_advisory_lock(${service})`);
    return client;
  } catch (error) {
    await client.end();
    if ((error as DatabaseError).code !== lockNotAvailable) throw notReady(directory, error);
    throw new EmbeddedPostgresError(
      `Another service uses the data directory ${directory.root}. Stop it, or set DATA_DIR (and PORT) to other values.`,
    );
  }
}

/** Connects to the database `postgres`, which holds the advisory locks. Returns `undefined` if no server listens. */
async function connect(directory: DataDirectory): Promise<Client | undefined> {
  const client = new Client({
    host: directory.socket,
    port: 5432,
    user: superuser,
    database: 'postgres',
    ssl: false,
    // No setting of the server may end this session or forbid the database.
    options:
      '-c default_transaction_read_only=off -c idle_session_timeout=0 -c statement_timeout=0 ' +
      `-c lock_timeout=${lockTimeoutMs}`,
    connectionTimeoutMillis: 5_000,
    query_timeout: queryTimeoutMs,
  });
  // The `end` event and the next query report a lost connection. An error without a listener would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw notReady(directory, error);
  }
}

function notReady({ root, log }: DataDirectory, error: unknown): RetryableError {
  return new RetryableError(
    `The embedded PostgreSQL in ${root} is not ready: ${(error as Error).message}. It may still be recovering its data: ` +
      `leave it running and restart the service later. Its log is ${log}.`,
  );
}

/** Whether the process that closes its session must stop PostgreSQL: it is the last one. No other process can then use it. */
export async function mustStopPostgres(session: Client, role: Role): Promise<boolean> {
  try {
    await session.query(`SELECT pg_advisory_unlock_shared(${users})`);
    const { rows } = await session.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${users}) AS taken`);
    return rows[0]?.taken === true;
  } catch {
    // Without a connection, the service stops PostgreSQL.
    return role === 'service';
  }
}
