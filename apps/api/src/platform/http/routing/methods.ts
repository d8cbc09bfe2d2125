import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only answers methods that its path does not have. */
    isFallback?: boolean;
    /** Options of @fastify/cors for this route. */
    cors?: { methods: string[] };
  }
}

/** The methods of every registered path, without OPTIONS. */
export type RouteMethods = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects the routes that are registered from now on. */
export function collectRoutes(fastify: FastifyInstance): RouteMethods {
  const routes = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method, config }) => {
    if (url === '*' || config?.isFallback === true) return;
    const methods = routes.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    routes.set(url, methods);
  });
  return routes;
}

/**
 * Answers the methods that a known path does not have: OPTIONS with 204 and `Allow`, the others with 405. Call it after
 * all routes are registered.
 */
export function answerOtherMethods(fastify: FastifyInstance, routes: RouteMethods): void {
  for (const method of METHODS) {
    if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method);
  }
  for (const [url, methods] of routes) addOtherMethods(fastify, url, [...methods]);
}

export function allowHeader(methods: Iterable<string>): string {
  return [...methods, 'OPTIONS'].join(', ');
}

/** Both routes respond in a hook, because the body must not be read. */
function addOtherMethods(fastify: FastifyInstance, url: string, methods: string[]): void {
  const allow = allowHeader(methods);
  fastify.route({
    url,
    method: 'OPTIONS',
    config: { public: true, isFallback: true, cors: { methods } },
    onRequest: (_request, reply) => void reply.status(204).header('Allow', allow).send(),
    handler: () => undefined,
  });
  fastify.route({
    url,
    method: fastify.supportedMethods.filter((method) => method !== 'OPTIONS' && !methods.includes(method)),
    config: { public: true, isFallback: true },
    onRequest: ({ method }, reply, done) => {
      void reply.header('Allow', allow);
      done(new DomainError('method_not_allowed', `Method ${method} is not allowed. Allowed: ${methods.join(', ')}.`));
    },
    handler: () => undefined,
  });
}
