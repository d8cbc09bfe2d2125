import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Deprecation } from './operation.js';

/** A request id of a client that the service keeps. */
export const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's request id if it is valid, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
}

/** The headers of every response, also of rejections. */
export function addResponseHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    // Fastify adds a charset, which JSON does not have (RFC 8259, section 11).
    if (typeof type === 'string' && type.startsWith('application/json;')) {
      void reply.header('content-type', 'application/json');
    }
    done(null, payload);
  });
}

/** Announces the removal with every response of a deprecated operation, also with rejections. */
export function addDeprecationHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { deprecation } = request.routeOptions.config;
    if (deprecation) void reply.headers(deprecationHeaders(deprecation));
    done();
  });
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and a successor link (RFC 5829). */
function deprecationHeaders({ since, removal, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: removal.toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
  };
}
