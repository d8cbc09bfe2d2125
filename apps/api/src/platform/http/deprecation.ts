import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock/clock.js';

/** That an operation will go, when, and what takes its place. */
export interface Deprecation {
  /** When it was declared deprecated. */
  since: Date;
  /** From when on it is gone. */
  removal: Date;
  /** Where to go instead. */
  successor: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecation?: Deprecation;
  }
}

/** Every answer of a deprecated route says so: Deprecation (RFC 9745), Sunset (RFC 8594) and a successor (RFC 5829). */
export function addDeprecationHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { deprecation } = request.routeOptions.config;
    if (deprecation && (request.method === 'GET' || request.method === 'HEAD')) {
      void reply
        .header('Deprecation', `@${deprecation.since.getTime() / 1000}`)
        .header('Sunset', deprecation.removal.toUTCString())
        .header('Link', `<${deprecation.successor}>; rel="successor-version"`);
    }
    done();
  });
}

export function isGone({ removal }: Deprecation, clock: Clock): boolean {
  return clock.now() >= removal;
}
