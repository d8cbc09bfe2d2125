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

interface KnownPath {
  /** Without OPTIONS. */
  methods: Set<string>;
  /** Whether no method requires a key. */
  isPublic: boolean;
}

/** Every registered path. */
export type KnownPaths = ReadonlyMap<string, Readonly<KnownPath>>;

/** Collects the paths of the routes that are registered from now on. */
export function collectPaths(fastify: FastifyInstance): KnownPaths {
  const paths = new Map<string, KnownPath>();
  fastify.addHook('onRoute', ({ url, method, config }) => {
    if (url === '*' || config?.isFallback === true) return;
    const path = paths.get(url) ?? { methods: new Set(), isPublic: true };
    for (const name of [method].flat()) path.methods.add(name);
    path.isPublic &&= config?.public === true;
    paths.set(url, path);
  });
  return paths;
}

/**
 * Answers the methods that a known path does not have: OPTIONS with 204 and `Allow`, the others with 405, which requires
 * a key if the path does. Call it after all routes are registered.
 */
export function answerOtherMethods(fastify: FastifyInstance, paths: KnownPaths): void {
  for (const method of METHODS) {
    if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method);
  }
  for (const [url, path] of paths) addOtherMethods(fastify, url, path);
}

export function allowHeader(methods: Iterable<string>): string {
  return [...methods, 'OPTIONS'].join(', ');
}

/** Both routes respond in a hook, because the body must not be read. */
function addOtherMethods(fastify: FastifyInstance, url: string, { methods: known, isPublic }: KnownPath): void {
  const methods = [...known];
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
    config: { public: isPublic, isFallback: true },
    onRequest: ({ method }, reply, done) => {
      void reply.header('Allow', allow);
      done(new DomainError('method_not_allowed', `Method ${method} is not allowed. Allowed: ${methods.join(', ')}.`));
    },
    handler: () => undefined,
  });
}
