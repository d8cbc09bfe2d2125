import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { MigrationError } from './migration-error.js';
import { onScratchDatabase, type UseDatabase } from './scratch-database.js';

/**
 * Runs `use` on an empty database of its own, on the given server or else on an embedded PostgreSQL in a temporary
 * folder, and takes everything away again, after Ctrl-C too.
 */
export async function withScratchDatabase<Result>(
  serverUrl: string | undefined,
  use: UseDatabase<Result>,
): Promise<Result> {
  const interrupted = interruption();
  const unlessInterrupted: UseDatabase<Result> = (url) => Promise.race([use(url), interrupted]);
  const run = (url: string) => onScratchDatabase(url, unlessInterrupted);
  return serverUrl === undefined ? onEmbeddedServer(run) : run(serverUrl);
}

async function onEmbeddedServer<Result>(use: UseDatabase<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-migrations-'));
  try {
    const postgres = await ownEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      return await use(postgres.url);
    } finally {
      await postgres.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Fails at the first signal to stop, which then no longer ends the process before it has cleaned up. */
function interruption(): Promise<never> {
  const failure = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new MigrationError(`Stopped by ${signal}.`)));
    }
  });
  // It may come before anybody waits for it.
  failure.catch(() => undefined);
  return failure;
}
