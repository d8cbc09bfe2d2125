import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { migrate } from '@petstore/migrate';
import { waitForStopSignal } from '../stop-signals.js';
import { migrationsDirectory } from './open-database.js';

/**
 * Runs `use` on a temporary database with all migrations and no rows, then removes it.
 * After Ctrl-C it throws as soon as `use` has ended: PostgreSQL must not stop while `use` is still connected.
 */
export async function withScratchDatabase<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  let stoppedBy: NodeJS.Signals | undefined;
  void waitForStopSignal().then((signal) => (stoppedBy = signal));
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-scratch-'));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      await migrate(postgres.url, { directory: migrationsDirectory, log: () => undefined });
      const result = await use(postgres.url);
      if (stoppedBy) throw new ExplainedError(`Stopped by ${stoppedBy}.`);
      return result;
    } finally {
      await postgres.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
