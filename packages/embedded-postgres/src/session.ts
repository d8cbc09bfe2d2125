import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { attach, detach } from './advisory-locks.js';
import { ensureDatabase, isConnectionLost, tryConnect } from './connection.js';
import type { DataDirectory } from './data-directory.js';
import { programError } from './embedded-postgres-error.js';
import { stopPostmaster } from './lock-files.js';
import { Startup } from './startup.js';

export interface SessionOptions {
  readonly directory: DataDirectory;
  /** The application name. */
  readonly name: string;
  readonly log: (message: string) => void;
  /** Cancels the wait for PostgreSQL. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the session that holds this process's advisory locks. Starts PostgreSQL and creates the database if needed.
 * @throws EmbeddedPostgresError when PostgreSQL does not start, or is not ready within 60 s.
 */
export async function openSession(options: SessionOptions): Promise<Client> {
  const { directory, signal } = options;
  for (;;) {
    const client = await connectOrStart(options);
    try {
      if (await attach(client)) {
        await ensureDatabase(client);
        return client;
      }
      await client.end();
    } catch (error) {
      await closeSession(client, directory);
      if (!isConnectionLost(error)) throw programError(directory.root, `ERROR: ${(error as Error).message}`);
    }
    await sleep(50, undefined, signal && { signal });
  }
}

/** Stops PostgreSQL unless other processes use it. */
export async function closeSession(client: Client, directory: DataDirectory): Promise<void> {
  // Without a connection, another process decides.
  const isLast = await detach(client).catch(() => false);
  if (isLast) await stopPostmaster(directory);
  await client.end();
}

async function connectOrStart(options: SessionOptions): Promise<Client> {
  const { directory, name, signal } = options;
  const startup = new Startup(options);
  try {
    for (;;) {
      const attempt = await tryConnect(directory.socket, name);
      if (attempt.client) return attempt.client;
      await sleep(await startup.advance(attempt), undefined, signal && { signal });
    }
  } catch (error) {
    if (signal?.aborted) await startup.abort();
    throw error;
  }
}
