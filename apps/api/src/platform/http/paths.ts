import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import type { Deprecation } from './operation.js';

/** Where the API starts. The OpenAPI document states it as the server. */
export const apiPath = '/v1';

/** The path of a request target, with ASCII escapes decoded, also if others are invalid. */
export function pathOf(target: string): string {
  const path = escapedPathOf(target);
  return path.includes('%') ? path.replaceAll(/(?:%[0-7][\da-f])+/gi, (escapes) => decodeURIComponent(escapes)) : path;
}

/** A client may write the whole URL instead of the path (RFC 9112, section 3.2.2). The router ignores the host too. */
function escapedPathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
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

/** No client can send it, because a target contains no space. */
const unroutable = '/ ';

/**
 * The target for the router. Fastify would answer an invalid percent-encoding before any hook, and match "/things/" to
 * "/things/:id" with an empty id. Such targets become a path that does not exist.
 */
export function routableTarget({ url = '' }: IncomingMessage): string {
  return isDecodable(url) && !/^[^?#]+\/(?:[?#]|$)/.test(url) ? url : unroutable;
}

/** Whether no route handles a request. Wildcards count as none: only libraries add them, and need none here. */
export function isUnknown({ is404, routeOptions }: FastifyRequest): boolean {
  return is404 || routeOptions.url?.endsWith('*') === true;
}

/** A path with at least one route. */
interface KnownPath {
  /** The methods of its routes, without OPTIONS. */
  methods: Set<string>;
  /** Whether no method requires a key. */
  isPublic: boolean;
  deprecation?: Deprecation;
}

/** Every registered path. It answers what the router cannot: which methods a path has. */
@Injectable()
export class Paths {
  private readonly known = new Map<string, KnownPath>();
  private readonly patterns: { pattern: RegExp; path: KnownPath }[] = [];

  add({ url, method, config = {} }: RouteOptions): void {
    // @fastify/cors adds `*` for OPTIONS, and Swagger UI `/docs/*`.
    if (url.endsWith('*')) return;
    if (config.public !== true && config.scope === undefined) {
      throw new Error(`The route ${String(method)} ${url} is neither @Public() nor an @Operation().`);
    }
    const path = this.known.get(url) ?? this.create(url);
    for (const name of [method].flat()) path.methods.add(name);
    path.isPublic &&= config.public === true;
    if (config.deprecation) path.deprecation = config.deprecation;
  }

  private create(url: string): KnownPath {
    const path = { methods: new Set<string>(), isPublic: true };
    this.known.set(url, path);
    if (url.includes(':')) this.patterns.push({ pattern: patternOf(url), path });
    return path;
  }

  /** The path of a request, also if it does not have the method of the request. */
  find({ originalUrl, raw }: FastifyRequest): KnownPath | undefined {
    if (raw.url === unroutable) return undefined;
    // The router decodes a path in the same way.
    const path = decodeURI(escapedPathOf(originalUrl));
    return this.known.get(path) ?? this.patterns.find(({ pattern }) => pattern.test(path))?.path;
  }

  /** Whether the request needs no key. Every path of the API needs one, also if it does not exist. */
  isPublic(request: FastifyRequest): boolean {
    if (request.method === 'OPTIONS') return true;
    if (!isUnknown(request)) return request.routeOptions.config.public === true;
    return !isApiPath(pathOf(request.originalUrl)) && (this.find(request)?.isPublic ?? true);
  }
}

/** The addresses of a route with parameters. */
function patternOf(url: string): RegExp {
  const segments = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[^\w]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join('/')}$`);
}

/** Collects the paths of all routes. The start fails if a route states no access. */
export function collectPaths(fastify: FastifyInstance, paths: Paths): void {
  const routes: RouteOptions[] = [];
  fastify.addHook('onRoute', (route) => void routes.push(route));
  // A later hook makes the routes of the documentation public.
  fastify.addHook('onReady', (done) => {
    for (const route of routes) paths.add(route);
    done();
  });
}

/** Responds to requests that no route handles: 404, 405, or 204 to OPTIONS. */
export function respondToUnknownPaths(fastify: FastifyInstance, paths: Paths): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isUnknown(request) && request.method !== 'OPTIONS') return done();
    const path = paths.find(request);
    if (!path) return done(notFound(request));
    const methods = [...path.methods];
    void reply.header('Allow', [...methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return void reply.status(204).send();
    const message = `Method ${request.method} is not allowed. Allowed: ${methods.join(', ')}.`;
    done(new DomainError('method_not_allowed', message));
  });
}

function notFound({ originalUrl }: FastifyRequest): DomainError {
  if (isDecodable(originalUrl)) return new DomainError('route_not_found');
  return new DomainError('bad_request', 'The path or the query contains invalid percent-encoding.');
}
