import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Config } from './platform/config/config.js';
import { packageFolder } from './platform/process/package-folder.js';
import { Workers } from './platform/process/workers.js';
import type { ServeOptions } from './serve.js';

/** Serves with the processes of WEB_CONCURRENCY behind one port until `stopped` resolves. Each runs worker.ts. */
export async function serve({ config, logger }: ServeOptions, stopped: Promise<unknown>): Promise<void> {
  const workers = new Workers(join(packageFolder, 'dist/worker.js'), config.webConcurrency, logger);
  const metricsServer = await startMetricsServer(config);
  await workers.start();
  await stopped;
  await workers.stop(config.shutdownGraceMs);
  metricsServer?.close();
}

async function startMetricsServer({ metricsHost: host, metricsPort: port }: Config): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  const { serveWorkerMetrics } = await import('./platform/metrics/worker-metrics.js');
  return serveWorkerMetrics({ host, port });
}
