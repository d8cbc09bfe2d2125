import { createServer, type Server, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';

/** Creates a server of `/metrics` without a key, for a separate port: only the monitoring must reach it. */
export function createMetricsServer(registry: Registry): Server {
  return createServer(({ url, method }, response) => {
    const isKnown = url === '/metrics' && (method === 'GET' || method === 'HEAD');
    if (isKnown) void send(response, registry);
    else response.writeHead(404).end();
  });
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
