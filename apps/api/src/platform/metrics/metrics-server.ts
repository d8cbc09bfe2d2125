import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { explainSocket } from '../errors/startup-error.js';
import type { Metrics } from './metrics.js';

/**
 * Serves `/metrics` without a key, on a separate port: only the monitoring must reach it. Adds those of the process: event loop
 * lag, memory, CPU and garbage collection.
 */
export async function serveMetrics({ registry }: Metrics, port: number, host: string): Promise<void> {
  collectDefaultMetrics({ register: registry });
  const server = createServer(({ url, method }, response) => {
    const isKnown = url === '/metrics' && (method === 'GET' || method === 'HEAD');
    if (isKnown) void send(response, registry);
    else response.writeHead(404).end();
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw explainSocket(error as Error, 'METRICS_') ?? error;
  }
}

async function send(response: ServerResponse, registry: Registry): Promise<void> {
  try {
    const text = await registry.metrics();
    const length = Buffer.byteLength(text);
    response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE, 'Content-Length': length }).end(text);
  } catch {
    // Prometheus tries again at the next interval.
    response.writeHead(503).end();
  }
}
