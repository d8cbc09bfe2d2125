import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpLimits } from './limits.js';

/**
 * Limits what remains of a body after its response: Node would read it, however long it is. A small rest is read for a while,
 * and the connection stays open. Else the service reads no more, and the response says that the connection ends.
 */
export function limitUnreadBodies(fastify: FastifyInstance, { unreadBodyBytes, unreadBodyMs }: HttpLimits): void {
  const hasLongRest = ({ raw, headers }: FastifyRequest) =>
    !raw.complete &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > unreadBodyBytes);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && hasLongRest(request)) endLater(reply, payload, unreadBodyMs);
    else done(null, payload);
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request;
    if (!raw.complete) {
      // In the next turn, because Node resumes the socket after a response.
      if (hasLongRest(request)) setImmediate(() => raw.socket.pause().end());
      const timer = setTimeout(() => raw.socket.destroy(), unreadBodyMs).unref();
      raw.once('end', () => clearTimeout(timer));
    }
    done();
  });
}

/**
 * Sends the whole response. Its end follows later, because Node then closes the connection: a reset could overtake the response.
 * Fastify sends no other response after `hijack`.
 */
function endLater(reply: FastifyReply, body: string, ms: number): void {
  const { raw } = reply.hijack();
  reply.request.raw.pause();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(reply.statusCode, { connection: 'close', 'content-length': Buffer.byteLength(body) }).write(body);
  const timer = setTimeout(() => raw.end(), ms).unref();
  raw.once('close', () => clearTimeout(timer));
}
