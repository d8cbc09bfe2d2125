import type { IncomingMessage } from 'node:http';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { DomainError } from '../errors/domain-error.js';

/** Where the API starts. The OpenAPI document states it as the server. */
export const apiPath = '/v1';

/**
 * The path of a request target, with ASCII escapes decoded, also if others are invalid. A client may write the whole URL
 * (RFC 9112, section 3.2.2). The router ignores the host too.
 */
export function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/s, '');
  return path.replaceAll(/(?:%[0-7][\da-f])+/gi, (escapes) => decodeURIComponent(escapes));
}

/** Whether a path belongs to the API, even if it does not exist. */
export function isApiPath(path: string): boolean {
  return path === apiPath || path.startsWith(`${apiPath}/`);
}

/** Whether the percent-encoding of a target is valid. */
export function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    // The bundler would remove the call if its result were not used.
    return decodeURIComponent(target) !== '';
  } catch {
    return false;
  }
}

/**
 * The target for the router. Fastify would answer an invalid percent-encoding before any hook, and match "/things/" to
 * "/things/:id" with an empty id. Such targets become a path that no route has, because no client can send a space.
 */
export function routableTarget({ url = '' }: IncomingMessage): string {
  return isDecodable(url) && !/^[^?#]+\/(?:[?#]|$)/.test(url) ? url : '/ ';
}

/** Whether no route handles a request. @fastify/cors adds a wildcard for OPTIONS. */
export function isUnknown({ is404, routeOptions }: FastifyRequest): boolean {
  return is404 || routeOptions.url === '*';
}

/** Whether the request needs no key. Every path of the API needs one, also if it does not exist. */
export function isPublic(request: FastifyRequest): boolean {
  if (request.method === 'OPTIONS') return true;
  return isUnknown(request) ? !isApiPath(pathOf(request.originalUrl)) : request.routeOptions.config.public === true;
}

/** A path with at least one route. */
interface KnownPath {
  /** The methods of its routes, without OPTIONS. */
  methods: HTTPMethods[];
  config: FastifyContextConfig;
}

/** The paths of all routes, by their pattern. */
type Paths = Map<string, KnownPath>;

/** Collects the paths of the routes that follow. The start fails if a route states no access. */
export function collectPaths(fastify: FastifyInstance): Paths {
  const paths: Paths = new Map();
  fastify.addHook('onRoute', ({ url, method, config = {} }) => {
    if (url === '*' || config.isOfOtherMethods) return;
    if (config.public !== true && config.scope === undefined) {
      throw new Error(`The route ${String(method)} ${url} is neither public nor an @Operation().`);
    }
    const path = paths.get(url) ?? { methods: [], config: { public: true, isOfOtherMethods: true } };
    path.methods.push(...[method].flat());
    // If one of its methods requires a key, the others do too.
    path.config.public &&= config.public === true;
    if (config.deprecation) path.config.deprecation = config.deprecation;
    paths.set(url, path);
  });
  return paths;
}

const allMethods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Adds a second route to each path, which responds to its other methods: 204 to OPTIONS, else 405. */
export function addOtherMethods(fastify: FastifyInstance, paths: Paths): void {
  for (const [url, { methods, config }] of paths) {
    const allow = [...methods, 'OPTIONS'].join(', ');
    fastify.route({
      method: allMethods.filter((method) => !methods.includes(method)),
      url,
      config: { ...config, cors: { methods } },
      // Before the body is read.
      onRequest: (request, reply, done) => {
        void reply.header('Allow', allow);
        const message = `Method ${request.method} is not allowed. Allowed: ${methods.join(', ')}.`;
        if (request.method === 'OPTIONS') void reply.status(204).send();
        else done(new DomainError('method_not_allowed', message));
      },
      handler: () => undefined,
    });
  }
}

/** Rejects requests that no route handles, before their body is read. */
export function rejectUnknownPaths(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (!isUnknown(request)) return done();
    if (isDecodable(request.originalUrl)) return done(new DomainError('route_not_found'));
    done(new DomainError('bad_request', 'The path or the query contains invalid percent-encoding.'));
  });
}
