import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { ensureDatabase, isConnectionLost, tryConnect } from './connection.js';
import type { DataFolder } from './data-folder.js';
import { programError } from './embedded-postgres.error.js';
import { stopPostmaster } from './postmaster-process.js';
import { enter, leave } from './presence.js';
import { Start } from './start.js';

/** Who wants to use the embedded PostgreSQL. */
export interface User {
  readonly folder: DataFolder;
  /** The application name of its session. */
  readonly name: string;
  readonly log: (message: string) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the session by which a user is present, and sees to it that PostgreSQL runs and has the service's database.
 * @throws EmbeddedPostgresError when PostgreSQL cannot be started, or is not ready within 60 s.
 */
export async function openSession(user: User): Promise<Client> {
  for (;;) {
    const client = await connectOrStart(user);
    try {
      if (await enter(client)) {
        await ensureDatabase(client);
        return client;
      }
      await client.end();
    } catch (error) {
      await closeSession(client, user.folder);
      if (!isConnectionLost(error)) throw programError(user.folder.root, `ERROR: ${(error as Error).message}`);
    }
    await sleep(50, undefined, user.signal ? { signal: user.signal } : {});
  }
}

/** Leaves PostgreSQL to its other users, or stops it when there are none. */
export async function closeSession(client: Client, folder: DataFolder): Promise<void> {
  // Where the connection is lost, so is the say in this.
  const isLast = await leave(client).catch(() => false);
  if (isLast) await stopPostmaster(folder);
  await client.end();
}

async function connectOrStart(user: User): Promise<Client> {
  const { folder, name, signal } = user;
  const start = new Start(user);
  try {
    for (;;) {
      const answer = await tryConnect(folder.socket, name);
      if (answer.client) return answer.client;
      await sleep(await start.goOn(answer), undefined, signal ? { signal } : {});
    }
  } catch (error) {
    if (signal?.aborted) await start.abandon();
    throw error;
  }
}
