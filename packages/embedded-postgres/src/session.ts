import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { attach, detach, ensureDatabase, isServerGone, tryConnect } from './connection.js';
import type { DataDirectory } from './data-directory.js';
import { EmbeddedPostgresError, programError } from './embedded-postgres-error.js';
import { type Postmaster, startPostmaster, stopPostmaster } from './postmaster.js';

const limitMs = 60_000;
const reportMs = 5_000;

/** The server of a session, and how it is named there. */
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
      if (!isServerGone(error)) throw programError(directory.root, `ERROR: ${(error as Error).message}`);
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

/** Starts PostgreSQL unless it runs, and retries until it accepts a connection. */
async function connectOrStart({ directory, name, log, signal }: SessionOptions): Promise<Client> {
  let postmaster: Postmaster | undefined;
  let reportAt = reportMs;
  try {
    for (const begin = performance.now(); ;) {
      const attempt = await tryConnect(directory.socket, name);
      if (attempt.client) return attempt.client;
      const waited = performance.now() - begin;
      const failure = await retryableFailure(postmaster, attempt.isDown, waited);
      if (failure) postmaster = undefined;
      if (waited > limitMs) throw notReady(directory, attempt.reason);
      if (attempt.isDown) postmaster ??= await startPostmaster(directory);
      if (waited > reportAt) {
        log(`PostgreSQL is starting (${reportAt / 1_000} s): ${failure?.message ?? attempt.reason}`);
        reportAt += reportMs;
      }
      // A normal start is quick. Crash recovery, or waiting for another process to end, takes longer.
      await sleep(Math.min(Math.max(waited / 10, 10), 500), undefined, signal && { signal });
    }
  } catch (error) {
    if (signal?.aborted) await postmaster?.abort();
    throw error;
  }
}

/** Returns why PostgreSQL ended if another attempt may succeed, and throws it otherwise. */
async function retryableFailure(postmaster: Postmaster | undefined, isDown: boolean, waited: number) {
  const failure = await postmaster?.failure();
  if (failure && isDown && waited > failure.retryMs) throw failure.error;
  return failure?.error;
}

function notReady({ root, log }: DataDirectory, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${root} is not ready after ${limitMs / 1_000} s: ${reason}. It may still be recovering ` +
      `its data: leave it running and restart the service later. Its log is ${log}.`,
  );
}
