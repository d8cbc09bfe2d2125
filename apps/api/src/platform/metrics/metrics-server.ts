import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { Registry } from 'prom-client';

/** Creates a server of `/metrics` without a key, for a separate port and this host: only the monitoring must reach it. */
export function createMetricsServer(registry: Registry, listenHost: string): Server {
  return createServer(({ url, method, headers }, response) => {
    const isKnown = url === '/metrics' && (method === 'GET' || method === 'HEAD');
    if (isLoopback(listenHost) && !namesAddress(headers.host)) response.writeHead(403).end();
    else if (isKnown) void send(response, registry);
    else response.writeHead(404).end();
  });
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
