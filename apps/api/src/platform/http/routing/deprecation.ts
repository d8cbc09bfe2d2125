import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.js';

/** The announced removal of an operation. */
export interface Deprecation {
  since: Date;
  /** From this time, the operation returns 410. */
  removal: Date;
  /** Path of the replacement. */
  successor: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecation?: Deprecation;
  }
}

/** Adds Deprecation (RFC 9745), Sunset (RFC 8594) and a successor link (RFC 5829) to all responses of deprecated routes. */
export function addDeprecationHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { deprecation } = request.routeOptions.config;
    if (deprecation && (request.method === 'GET' || request.method === 'HEAD')) {
      void reply.headers(headersOf(deprecation));
    }
    done();
  });
}

function headersOf({ since, removal, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: removal.toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
  };
}

export function isGone({ removal }: Deprecation, clock: Clock): boolean {
  return clock.now().getTime() >= removal.getTime();
}
