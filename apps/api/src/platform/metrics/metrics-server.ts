import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { ExplainedError } from '@petstore/contracts';
import { Registry } from 'prom-client';

export interface Address {
  host: string;
  port: number;
}

/**
 * Serves the metrics at `/metrics`, without a key, on a separate port: only the monitoring must reach it.
 * @throws ExplainedError if the port is not available.
 */
export async function serveMetrics(read: () => Promise<string>, { host, port }: Address): Promise<Server> {
  const server = createServer(({ url, method }, response) => {
    const isKnown = url === '/metrics' && (method === 'GET' || method === 'HEAD');
    if (isKnown) void send(response, read);
    else response.writeHead(404).end();
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const { message } = cause as Error;
    throw new ExplainedError(`Cannot serve metrics: ${message}. Set METRICS_PORT or METRICS_HOST to another value.`, {
      cause,
    });
  }
  return server;
}

async function send(response: ServerResponse, read: () => Promise<string>): Promise<void> {
  try {
    const text = await read();
    response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
  } catch {
    // A process of the service ended meanwhile. Prometheus tries again at the next interval.
    response.writeHead(503).end();
  }
}
