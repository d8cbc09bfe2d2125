import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Clock } from '../clock.js';
import { DomainError } from '../errors/domain-error.js';
import { readJsonBodies } from './body.js';
import { respondConditionally } from './conditional.js';
import { targetErrorOf } from './request-target.js';

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
    /** The route only answers methods that its path does not have. */
    isFallback?: boolean;
    deprecation?: Deprecation;
    /** Options of @fastify/cors for this route. */
    cors?: { methods: string[] };
  }
}

interface KnownPath {
  /** Without OPTIONS. */
  methods: Set<string>;
  /** Whether no method requires a key. */
  isPublic: boolean;
  deprecation?: Deprecation;
}

/** Every registered path. */
type KnownPaths = ReadonlyMap<string, Readonly<KnownPath>>;

/**
 * Before `app.init()`, because Fastify applies it to routes while Nest registers them. Collects their paths, and adds what
 * their configuration asks for.
 */
export function prepareRoutes(fastify: FastifyInstance): KnownPaths {
  const paths = new Map<string, KnownPath>();
  fastify.addHook('onRoute', (added) => {
    if (added.config?.conditional === true) added.onSend = [respondConditionally, added.onSend ?? []].flat();
    if (added.url !== '*' && added.config?.isFallback !== true) collect(paths, added);
  });
  // Before the API key is checked, because a 401 has these headers too.
  fastify.addHook('onRequest', (request, reply, done) => {
    const { deprecation } = request.routeOptions.config;
    if (deprecation) void reply.headers(headersOf(deprecation));
    done();
  });
  return paths;
}

function collect(paths: Map<string, KnownPath>, { url, method, config = {} }: RouteOptions): void {
  if (config.public !== true && config.scope === undefined) {
    throw new Error(`The route ${String(method)} ${url} is neither @Public() nor an @Operation().`);
  }
  const path = paths.get(url) ?? { methods: new Set(), isPublic: true };
  for (const name of [method].flat()) path.methods.add(name);
  path.isPublic &&= config.public === true;
  if (config.deprecation) path.deprecation = config.deprecation;
  paths.set(url, path);
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and a successor link (RFC 5829). */
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

/**
 * After the hooks of `protect`: without a key, a client does not learn which paths and methods exist under /v1. Before the
 * body is read: a request that no route accepts must not cost more. Call it after all routes are registered.
 */
export function route(fastify: FastifyInstance, paths: KnownPaths): void {
  answerUnknownPaths(fastify, paths);
  readJsonBodies(fastify);
  for (const method of METHODS) {
    if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method);
  }
  for (const [url, path] of paths) answerOtherMethods(fastify, url, path);
}

/** Rejects requests to unreadable and unknown targets, and answers `OPTIONS *`. */
function answerUnknownPaths(fastify: FastifyInstance, paths: KnownPaths): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isKnown = !request.is404 && !isCatchAll(request);
    if (isKnown) return done();
    if (request.method !== 'OPTIONS' || request.originalUrl !== '*') {
      return done(targetErrorOf(request) ?? new DomainError('route_not_found'));
    }
    // The methods of the whole service (RFC 9110, section 9.3.7).
    const methods = new Set([...paths.values()].flatMap((path) => [...path.methods]));
    void reply.status(204).header('Allow', allowHeader(methods)).send();
  });
}

/** Whether the request matched only the catch-all route that @fastify/cors adds for OPTIONS. */
function isCatchAll(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.routeOptions.url === '*';
}

function allowHeader(methods: Iterable<string>): string {
  return [...methods, 'OPTIONS'].join(', ');
}

/**
 * Answers the methods that a path does not have: OPTIONS with 204 and `Allow`, the others with 405, which requires a key if
 * the path does. Both routes respond in a hook, because the body must not be read.
 */
function answerOtherMethods(
  fastify: FastifyInstance,
  url: string,
  { methods: known, isPublic, deprecation }: KnownPath,
): void {
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
    config: { public: isPublic, isFallback: true, ...(deprecation && { deprecation }) },
    onRequest: ({ method }, reply, done) => {
      void reply.header('Allow', allow);
      done(new DomainError('method_not_allowed', `Method ${method} is not allowed. Allowed: ${methods.join(', ')}.`));
    },
    handler: () => undefined,
  });
}
