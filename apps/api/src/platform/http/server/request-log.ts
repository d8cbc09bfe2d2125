import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { rejectedRequests } from '../errors/client-errors.js';
import { pathOf } from '../routing/request-target.js';
import { requestIdOf } from './request-id.js';

declare module 'fastify' {
  interface FastifyReply {
    /** Logs the line of a request whose connection closed before it had a response. */
    logAborted: (() => void) | undefined;
  }
}

/** Logs one line per request, without the query: it can contain secrets. */
export function addRequestLog(fastify: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled('info')) return;
  fastify.decorateReply('logAborted', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    const log = lineOf(request, reply, logger);
    reply.raw.once('close', () => {
      if (reply.raw.writableEnded) log(!reply.raw.writableFinished);
      // The request is still in progress: its status is not known yet.
      else reply.logAborted = () => log(true);
    });
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    // Later, because the hooks of the route can change the status.
    if (reply.logAborted) process.nextTick(reply.logAborted);
    done(null, payload);
  });
}

/** Logs a request that was not handled, because its connection closed before. The line has no status. */
export function logDiscarded(request: IncomingMessage, logger: Logger): void {
  const { method, url = '', socket } = request;
  const line = { requestId: requestIdOf(request), method, path: pathOf(url), aborted: true };
  logger.info({ ...line, address: socket.remoteAddress }, 'discarded: the connection closed');
}

function lineOf(request: FastifyRequest, reply: FastifyReply, logger: Logger): (isAborted: boolean) => void {
  const start = performance.now();
  // A closed connection has no address.
  const address = request.ip;
  return (isAborted) => {
    if (rejectedRequests.has(request.raw)) return;
    const line = {
      requestId: request.id,
      method: request.method,
      path: pathOf(request.originalUrl),
      status: reply.statusCode,
      ...(isAborted && { aborted: true }),
      ms: Math.round((performance.now() - start) * 10) / 10,
      address,
      apiKeyId: request.principal?.apiKeyId,
    };
    logger.info(line, 'request');
  };
}
