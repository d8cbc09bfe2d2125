import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const sweepMs = 50;
const unused = new WeakMap<Server, Set<Socket>>();

/** Knows the connections without a request yet, as browsers open them ahead: Node does not count them as idle. */
export function watchUnusedConnections(server: Server): void {
  const sockets = new Set<Socket>();
  unused.set(server, sockets);
  server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  server.on('request', ({ socket }) => sockets.delete(socket));
}

/**
 * Ends the app: nothing new is accepted, what was accepted is answered, each connection closes behind its answer.
 * After `graceMs` the connections that are left are cut, and nothing more is waited for.
 */
export async function drain(app: NestFastifyApplication, graceMs: number): Promise<void> {
  const server: Server = app.getHttpServer();
  // Not only once: a connection that is busy now would wait for another request behind its answer.
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
    // Whoever waited no longer cannot be told.
    closed.catch(() => undefined);
  }
}
