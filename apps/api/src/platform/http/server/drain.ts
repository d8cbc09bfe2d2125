import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const sweepMs = 50;
const unused = new WeakMap<Server, Set<Socket>>();

/** Tracks connections without a request, which browsers open in advance: Node does not count them as idle. */
export function watchUnusedConnections(server: Server): void {
  const sockets = new Set<Socket>();
  unused.set(server, sockets);
  server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  server.on('request', ({ socket }) => sockets.delete(socket));
}

/**
 * Shuts down gracefully: accepts no new connections, completes accepted requests, then closes their connections. After
 * `graceMs`, closes all remaining connections.
 */
export async function drain(app: NestFastifyApplication, graceMs: number): Promise<void> {
  const server: Server = app.getHttpServer();
  // Repeatedly, because a connection that is busy now becomes idle later.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of unused.get(server) ?? []) socket.destroy();
  }, sweepMs);
  const closed = app.close();
  try {
    await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
  } finally {
    clearInterval(sweep);
    server.closeAllConnections();
    // After the grace period, the result is ignored.
    closed.catch(() => undefined);
  }
}
