import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '../../errors/domain-error.js';
import { pathOf } from '../routing/request-target.js';

/** Adds `X-Request-Id` to every response. */
export function addResponseHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  // Fastify adds a charset, which JSON does not have (RFC 8259, section 11).
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.startsWith('application/json;')) {
      void reply.header('content-type', 'application/json');
    }
    done(null, payload);
  });
}

/**
 * Closes files in transfer when their connection ends. Node notifies only the first response of a connection: the files
 * of pipelined requests would stay open.
 */
export function closeFilesWithConnection(fastify: FastifyInstance): void {
  const filesOf = new WeakMap<Socket, Set<Readable>>();
  fastify.addHook('onSend', ({ raw: { socket } }, _reply, payload, done) => {
    if (payload instanceof Readable) {
      if (socket.destroyed) payload.destroy();
      const files = filesOf.get(socket) ?? new Set();
      if (!filesOf.has(socket)) socket.once('close', () => files.forEach((file) => file.destroy()));
      filesOf.set(socket, files.add(payload));
      payload.once('close', () => files.delete(payload));
    }
    done(null, payload);
  });
}

/** Only HTTP/1.0 allows requests without a Host header (RFC 9112, section 3.2). */
export function requireHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return done();
    done(new DomainError('bad_request', 'The `Host` header is missing.'));
  });
}

/** Logs one line per request, without the query: it can contain secrets. */
export function addRequestLog(fastify: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled('info')) return;
  fastify.addHook('onResponse', (request, reply, done) => {
    logger.info(
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request.originalUrl),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        apiKeyId: request.principal?.apiKeyId,
      },
      'request',
    );
    done();
  });
}
