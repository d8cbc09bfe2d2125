import type { FastifyInstance } from 'fastify';
import type { HttpLimits } from './limits.js';

/**
 * Limits what remains of a body after its response: Node would read it, however long it is. A small rest is read, and the
 * connection stays open. Else the service reads no more and sends its end, so that the client uses the connection no longer.
 * The connection is not closed at once, because a reset could overtake the response.
 */
export function limitUnreadBodies(fastify: FastifyInstance, { unreadBodyBytes, unreadBodyMs }: HttpLimits): void {
  fastify.addHook('onResponse', ({ raw, headers }, _reply, done) => {
    // In the next turn, because Node resumes the socket after the response.
    if (!raw.complete) setImmediate(limit);
    done();

    function limit(): void {
      const { complete, socket } = raw;
      if (complete || socket.destroyed) return;
      const isSmall = Number(headers['content-length']) <= unreadBodyBytes;
      if (!isSmall) socket.pause().end();
      const timer = setTimeout(() => socket.destroy(), unreadBodyMs).unref();
      raw.once('end', () => clearTimeout(timer));
    }
  });
}
