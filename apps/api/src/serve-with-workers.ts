import { join } from 'node:path';
import { packageFolder } from './platform/process/package-folder.js';
import { Workers } from './platform/process/workers.js';
import type { ServeOptions } from './serve.js';

/** Serves with the processes of WEB_CONCURRENCY behind one port until `stopped` resolves. Each runs worker.ts. */
export async function serve({ config, logger }: ServeOptions, stopped: Promise<unknown>): Promise<void> {
  const workers = new Workers(join(packageFolder, 'dist/worker.js'), config.webConcurrency, logger);
  await workers.start();
  await stopped;
  await workers.stop(config.shutdownGraceMs);
}
