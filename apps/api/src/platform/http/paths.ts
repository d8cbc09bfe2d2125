import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import type { Deprecation } from './operation.js';

/** Where the API starts. The OpenAPI document states it as the server. */
export const apiPath = '/v1';

/** The path of a request target in origin or absolute form, with ASCII escapes decoded. */
export function pathOf(target: string): string {
  const path = escapedPathOf(target);
  return path.includes('%') ? path.replaceAll(/%[0-7][\da-f]/gi, (escape) => decodeURIComponent(escape)) : path;
}

/** Whether a path belongs to the API, even if it does not exist. */
export function isApiPath(path: string): boolean {
  return path === apiPath || path.startsWith(`${apiPath}/`);
}

/** No client can send it, because a target contains no space. */
const unroutable = '/ ';

const targetError = Symbol('target error');
type TargetRequest = IncomingMessage & { [targetError]?: DomainError };

/**
 * The target for the router. Fastify would answer an invalid target with its own error before any hook, and match
 * "/things/" to "/things/:id" with an empty id. Such targets become a path that does not exist.
 */
export function routableTarget(request: TargetRequest): string {
  const { url = '' } = request;
  const error = errorOf(url);
  if (!error) return withoutOrigin(url);
  request[targetError] = error;
  return unroutable;
}

/** The error of a target that `routableTarget` did not accept. */
export function targetErrorOf({ raw }: { raw: TargetRequest }): DomainError | undefined {
  return raw[targetError];
}

function errorOf(target: string): DomainError | undefined {
  if (!isDecodable(target)) {
    return new DomainError('bad_request', 'The path or the query contains invalid percent-encoding.');
  }
  if (/^https?:/i.test(target) && !isUrl(target)) {
    return new DomainError('bad_request', 'The request target is not a valid URL.');
  }
  const path = escapedPathOf(target);
  return !path.startsWith('/') || (path.length > 1 && path.endsWith('/'))
    ? new DomainError('route_not_found')
    : undefined;
}

/** Whether the percent-encoding of the path and the query is valid. */
function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    decodeURIComponent(withoutOrigin(target));
    return true;
  } catch {
    return false;
  }
}

/** Whether a target is in absolute form and a valid URL with a host (RFC 9112, section 3.2.2). */
function isUrl(target: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(target) && URL.canParse(target);
}

function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

function escapedPathOf(target: string): string {
  const origin = withoutOrigin(target);
  const end = origin.search(/[?#]/);
  return end < 0 ? origin : origin.slice(0, end);
}

/** Whether no route handles a request. Wildcards count as none: only libraries add them, and need none here. */
export function isUnknown({ is404, routeOptions }: FastifyRequest): boolean {
  return is404 || routeOptions.url?.endsWith('*') === true;
}

/** A path with at least one route. */
interface KnownPath {
  /** Without OPTIONS. */
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

  /** Before the routes are registered. */
  collect(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      // @fastify/cors adds `*` for OPTIONS, and Swagger UI `/docs/*`.
      if (!route.url.endsWith('*')) this.add(route);
    });
  }

  private add({ url, method, config = {} }: RouteOptions): void {
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
  find({ raw, originalUrl }: FastifyRequest): KnownPath | undefined {
    if (targetErrorOf({ raw })) return undefined;
    // The router decodes a path in the same way.
    const path = decodeURI(escapedPathOf(originalUrl));
    return this.known.get(path) ?? this.patterns.find(({ pattern }) => pattern.test(path))?.path;
  }

  /** Whether the request needs no key. Every path of the API needs one, also if it does not exist. */
  isPublic(request: FastifyRequest): boolean {
    if (request.method === 'OPTIONS') return true;
    if (isApiPath(pathOf(request.originalUrl))) return false;
    if (!isUnknown(request)) return request.routeOptions.config.public === true;
    return this.find(request)?.isPublic ?? true;
  }

  /** Responds to requests that no route handles: 404, 405, or 204 to OPTIONS. */
  respond(request: FastifyRequest, reply: FastifyReply, done: (error?: DomainError) => void): void {
    if (!isUnknown(request) && request.method !== 'OPTIONS') return done();
    const path = this.find(request);
    if (!path) return done(targetErrorOf(request) ?? new DomainError('route_not_found'));
    const methods = [...path.methods];
    void reply.header('Allow', [...methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return void reply.status(204).send();
    const message = `Method ${request.method} is not allowed. Allowed: ${methods.join(', ')}.`;
    done(new DomainError('method_not_allowed', message));
  }
}

/** The addresses of a route with parameters. */
function patternOf(url: string): RegExp {
  const segments = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[^\w]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join('/')}$`);
}
