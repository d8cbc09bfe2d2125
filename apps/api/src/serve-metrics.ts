import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, symbols } from 'pino';
import type { Config } from './platform/config/config.js';
import { PrismaService } from './platform/database/prisma.service.js';
import { Metrics } from './platform/metrics/metrics.js';
import { serveMetrics } from './platform/metrics/metrics-server.js';
import { shareWithPrimary } from './platform/metrics/worker-metrics.js';

/** The metrics of this process. The logger counts the lines that it drops. */
export function createMetrics(logger: Logger): Metrics {
  const metrics = new Metrics();
  if (cluster.isWorker) shareWithPrimary(metrics.registry);
  const output = (logger as unknown as Record<symbol, Partial<NodeJS.EventEmitter>>)[symbols.streamSym];
  output?.on?.('drop', () => metrics.droppedLogLines.inc());
  return metrics;
}

/** With several processes, the primary one serves the metrics. */
export async function startMetricsServer(
  metrics: Metrics,
  app: NestFastifyApplication,
  { metricsHost: host, metricsPort: port = 0 }: Config,
): Promise<Server | undefined> {
  metrics.watchPool(app.get(PrismaService).pool);
  if (cluster.isWorker) return undefined;
  return serveMetrics(() => metrics.registry.metrics(), { host, port });
}
