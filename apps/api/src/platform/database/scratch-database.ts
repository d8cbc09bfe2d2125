import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { MigrationError } from '@petstore/migrate';
import { stopSignal } from '../process/stop-signal.js';

/** Runs `use` on an empty database in a temporary directory, then removes it, also after Ctrl-C. */
export async function withScratchDatabase<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const interrupted = stopSignal().then((signal) => {
    throw new MigrationError(`Stopped by ${signal}.`);
  });
  // It may reject before anything awaits it.
  interrupted.catch(() => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-scratch-'));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      return await Promise.race([use(postgres.url), interrupted]);
    } finally {
      await postgres.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
