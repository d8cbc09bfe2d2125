import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/clock.js';

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
  const known = new Map<Deprecation, Record<string, string>>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { deprecation } = request.routeOptions.config;
    if (deprecation && (request.method === 'GET' || request.method === 'HEAD')) {
      const headers = known.get(deprecation) ?? headersOf(deprecation);
      known.set(deprecation, headers);
      void reply.headers(headers);
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
