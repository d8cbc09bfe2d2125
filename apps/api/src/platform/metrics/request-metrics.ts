import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operationId, as the label of metrics. Routes without it share the label `other`. */
    operation?: string;
  }
}

/** Measures every request that reaches Fastify. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { operation = 'other' } = request.routeOptions.config;
    const stopTimer = metrics.requestDuration.startTimer({ operation });
    reply.raw.once('close', () => {
      stopTimer();
      countRequest(metrics, operation, { request, reply });
    });
    done();
  });
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

function countRequest(metrics: Metrics, operation: string, { request, reply }: Exchange): void {
  const { principal, headers, routeOptions } = request;
  const status = reply.raw.headersSent ? reply.statusCode : 'aborted';
  metrics.requests.inc({ operation, status });
  if (status === 401 || (status === 429 && !principal)) {
    metrics.authenticationFailures.inc({ reason: headers.authorization === undefined ? 'missing' : 'invalid' });
  }
  if (status === 429 && principal) metrics.rateLimitedRequests.inc();
  if (principal && routeOptions.config.deprecation) {
    metrics.deprecatedRequests.inc({ operation, api_key_id: principal.apiKeyId });
  }
}
