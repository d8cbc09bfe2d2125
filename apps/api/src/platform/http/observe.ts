import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.js';
import { pathOf } from './request-target.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the controller adds to the log line. */
    logged: Record<string, string> | undefined;
  }
  interface FastifyReply {
    /** Logs the line of a request whose connection closed before it had a response. */
    logAborted: (() => void) | undefined;
  }
}

interface ObserveOptions {
  logger: Logger;
  /** `undefined`: requests are not measured. */
  metrics: Metrics | undefined;
  /** Whether a request was answered, and logged, before it reached Fastify. */
  isRejected: (request: IncomingMessage) => boolean;
}

/** Before every hook that can reject: a rejected request also has a log line, a metric and a request id. */
export function observe(fastify: FastifyInstance, { logger, metrics, isRejected }: ObserveOptions): void {
  fastify.decorateRequest('logged', undefined);
  if (metrics) measureRequests(fastify, metrics);
  if (logger.isLevelEnabled('info')) logRequests(fastify, logger, isRejected);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
}

const validRequestId = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's request id if it is valid, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}

/** Logs one line per request, without the query: it can contain secrets. */
function logRequests(fastify: FastifyInstance, logger: Logger, isRejected: ObserveOptions['isRejected']): void {
  fastify.decorateReply('logAborted', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    const log = lineOf(request, reply, logger);
    reply.raw.once('close', () => {
      if (isRejected(request.raw)) return;
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

function lineOf(request: FastifyRequest, reply: FastifyReply, logger: Logger): (isAborted: boolean) => void {
  const start = performance.now();
  // A closed connection has no address.
  const address = request.ip;
  return (isAborted) => {
    const line = {
      requestId: request.id,
      method: request.method,
      path: pathOf(request.originalUrl),
      status: reply.statusCode,
      ...(isAborted && { aborted: true }),
      ms: Math.round((performance.now() - start) * 10) / 10,
      address,
      apiKeyId: request.principal?.apiKeyId,
      ...request.logged,
    };
    logger.info(line, 'request');
  };
}

/** Logs a request that was not handled, because its connection closed before. The line has no status. */
export function logDiscarded(request: IncomingMessage, logger: Logger): void {
  const { method, url = '', socket } = request;
  const line = { requestId: requestIdOf(request), method, path: pathOf(url), aborted: true };
  logger.info({ ...line, address: socket.remoteAddress }, 'discarded: the connection closed');
}

function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { operation = 'other' } = request.routeOptions.config;
    const stopTimer = metrics.requestDuration.startTimer({ operation });
    reply.raw.once('close', () => {
      stopTimer();
      countRequest(metrics, request, reply);
    });
    done();
  });
}

function countRequest(
  metrics: Metrics,
  { principal, headers, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { operation = 'other', deprecation, isFallback } = routeOptions.config;
  const status = reply.raw.headersSent ? reply.statusCode : 'aborted';
  metrics.requests.inc({ operation, status });
  if (status === 401 || (status === 429 && !principal)) {
    metrics.authenticationFailures.inc({ reason: headers.authorization === undefined ? 'missing' : 'invalid' });
  }
  if (status === 429 && principal) metrics.rateLimitedRequests.inc();
  if (principal && deprecation && !isFallback)
    metrics.deprecatedRequests.inc({ operation, api_key_id: principal.apiKeyId });
}
