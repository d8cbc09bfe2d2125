import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.js';
import { pathOf } from './paths.js';

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

/** Logs every request at its end, also if its client disconnects. */
export function logRequests(fastify: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled('info')) return;
  fastify.decorateRequest('logged', undefined);
  fastify.decorateReply('logAborted', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    const start = performance.now();
    // A closed connection has no address.
    const address = request.ip;
    const log = (isAborted: boolean) => logger.info(lineOf(request, reply, { address, start, isAborted }), 'request');
    const { raw } = reply;
    raw.once('close', () => {
      if (raw.writableEnded) log(!raw.writableFinished);
      // The request is still in progress: its status is not known yet.
      else reply.logAborted = () => log(true);
    });
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    reply.logAborted?.();
    done(null, payload);
  });
}

interface Observed {
  address: string;
  start: number;
  isAborted: boolean;
}

/** The fields of a log line. The query is not one of them: it can contain secrets. */
function lineOf(request: FastifyRequest, reply: FastifyReply, { start, address, isAborted }: Observed) {
  return {
    requestId: request.id,
    method: request.method,
    path: pathOf(request.originalUrl),
    status: reply.statusCode,
    // pino leaves out what is undefined.
    aborted: isAborted || undefined,
    ms: Math.round((performance.now() - start) * 10) / 10,
    address,
    apiKeyId: request.principal?.apiKeyId,
    ...request.logged,
  };
}

/** Measures every request at its end. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
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
  const { operation = 'other', deprecation } = routeOptions.config;
  const status = reply.raw.headersSent ? reply.statusCode : 'aborted';
  metrics.requests.inc({ operation, status });
  if (status === 401) {
    metrics.authenticationFailures.inc({ reason: headers.authorization === undefined ? 'missing' : 'invalid' });
  }
  if (principal && deprecation) metrics.deprecatedRequests.inc({ operation, api_key_id: principal.apiKeyId });
}
