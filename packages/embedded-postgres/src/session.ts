import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { connect, isDown, register, type Role, unregister } from './connection.js';
import type { DataDirectory } from './data-directory.js';
import { DataInUseError, EmbeddedPostgresError } from './embedded-postgres-error.js';
import { startPostmaster, stopPostmaster } from './postmaster.js';

const limitMs = 60_000;
const registerMs = 2_000;
const reportMs = 5_000;
const retryMs = 50;

interface SessionOptions {
  readonly directory: DataDirectory;
  readonly role: Role;
  readonly log: (message: string) => void;
  /** Cancels the wait for PostgreSQL. */
  readonly signal?: AbortSignal;
}

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
      const result = await attempt(options);
      if (result instanceof Client) return result;
      // The session of a killed service, and processes of a killed PostgreSQL, may end slightly later.
      const timeoutMs = result instanceof SecondServiceError ? registerMs : limitMs;
      if (performance.now() - begin > timeoutMs) throw explain(result, directory);
      await sleep(retryMs, undefined, signal && { signal });
    }
  } finally {
    clearInterval(report);
  }
}

/** Ends a session. Stops PostgreSQL unless other processes use it. */
export async function closeSession(client: Client, directory: DataDirectory): Promise<void> {
  // Without a connection, another process decides.
  const isLast = await unregister(client).catch(() => false);
  if (isLast) await stopPostmaster(directory);
  await client.end();
}

class SecondServiceError extends EmbeddedPostgresError {}

/** Returns a session, or why a later attempt may succeed. */
async function attempt(options: SessionOptions): Promise<Client | Error> {
  const { directory, role, signal } = options;
  try {
    const client = await connect(directory.socket);
    // The query fails when PostgreSQL stops.
    if (await register(client, role).catch(() => false)) return client;
    await client.end();
    return new SecondServiceError(
      `Another service uses the data directory ${directory.root}. Stop it, or set DATA_DIR (and PORT) to other values.`,
    );
  } catch (error) {
    if (!isDown(error)) return error as Error;
  }
  try {
    await startPostmaster(directory, signal);
    return await attempt(options);
  } catch (error) {
    if (error instanceof DataInUseError) return error;
    throw error;
  }
}

function explain(problem: Error, { root, log }: DataDirectory): EmbeddedPostgresError {
  if (problem instanceof EmbeddedPostgresError) return problem;
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${root} is not ready after ${limitMs / 1_000} s: ${problem.message}. It may still be ` +
      `recovering its data: leave it running and restart the service later. Its log is ${log}.`,
  );
}
