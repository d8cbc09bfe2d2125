import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpLimits } from './limits.js';

/** A chunk takes as much time as this many bytes. */
const minChunkBytes = 64;

/**
 * Limits what remains of a body after its response: Node would read it, however long it is. The connection is not closed at
 * once, because a reset could overtake the response.
 */
export function limitUnreadBodies(fastify: FastifyInstance, limits: HttpLimits): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!hasUnreadBody(request)) return done(null, payload);
    limitReading(request, reply, limits);
    const isShort = Number(request.headers['content-length']) <= limits.unreadBodyBytes;
    done(null, typeof payload === 'string' && !isShort ? endAfterBody(request, reply, payload, limits) : payload);
  });
}

function hasUnreadBody({ raw, headers }: FastifyRequest): boolean {
  return !raw.complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);
}

function limitReading({ raw }: FastifyRequest, reply: FastifyReply, limits: HttpLimits): void {
  const { socket } = raw;
  let left = limits.unreadBodyBytes;
  raw.on('data', (chunk: Buffer) => {
    if (left < 0) return;
    left -= Math.max(chunk.length, minChunkBytes);
    // This waits, because Node resumes the socket in the next tick after each chunk.
    if (left < 0) setImmediate(() => !raw.complete && socket.pause());
  });
  reply.raw.once('finish', () => {
    if (raw.readableEnded) return;
    const timer = setTimeout(() => socket.destroy(), limits.unreadBodyMs);
    raw.once('end', () => clearTimeout(timer));
  });
}

/**
 * Sends the whole response at once, which says that the connection ends. Its end follows later: a client in the middle of a
 * body could not read the response of a closed connection.
 */
function endAfterBody({ raw }: FastifyRequest, reply: FastifyReply, body: string, limits: HttpLimits): Readable {
  void reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(body) });
  return Readable.from(
    (async function* () {
      yield body;
      const read = once(raw, 'close').catch(() => undefined);
      await Promise.race([read, sleep(limits.unreadBodyMs, undefined, { ref: false })]);
    })(),
  );
}
