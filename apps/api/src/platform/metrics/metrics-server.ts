import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { ExplainedError } from '@petstore/contracts';
import { Registry } from 'prom-client';

interface Address {
  host: string;
  port: number;
}

/**
 * Serves `/metrics` without a key, on a separate port: only the monitoring must reach it.
 * @throws ExplainedError if the port is not available.
 */
export async function serveMetrics(registry: Registry, { host, port }: Address): Promise<Server> {
  const server = createServer(({ url, method, headers }, response) => {
    const isKnown = url === '/metrics' && (method === 'GET' || method === 'HEAD');
    if (isLoopback(host) && !namesAddress(headers.host)) response.writeHead(403).end();
    else if (isKnown) void send(response, registry);
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

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Whether a `Host` header names an IP address or localhost. A page in a browser on this machine can reach the port under a
 * name of its own domain (DNS rebinding).
 */
function namesAddress(header = ''): boolean {
  const name = header.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
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
