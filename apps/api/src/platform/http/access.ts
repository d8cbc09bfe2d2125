import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ApiKeyScope } from '@petstore/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The key that a request came with. */
export interface Principal {
  readonly apiKeyId: number;
  readonly scopes: readonly ApiKeyScope[];
}

/** Knows the keys. The feature that keeps them provides it. */
export abstract class Authenticator {
  /**
   * The holder of the key in an `Authorization` header.
   * @throws DomainError missing_api_key or invalid_api_key; rate_limited after too many wrong keys from an address.
   */
  abstract authenticate(authorization: string | undefined, address: string): Principal | Promise<Principal>;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined;
  }
  interface FastifyContextConfig {
    public?: boolean;
  }
}

export const publicMetadata = 'public';
export const scopeMetadata = 'scope';

/** Opens one route to requests without a key. Every other route is closed. */
export function Public(): MethodDecorator {
  return applyDecorators(SetMetadata(publicMetadata, true), RouteConfig({ public: true }));
}

/** The scope that a key needs for a route. A closed route without one is a mistake, and refused. */
export function RequireScope(scope: ApiKeyScope): MethodDecorator {
  return SetMetadata(scopeMetadata, scope);
}

/**
 * The hook that judges the key before anything else of a request. A hook, and not only a guard, because guards
 * run after the body was read, and never on a route that does not exist.
 */
export function judgeKey(authenticator: Authenticator) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    if (isOpen(request)) return done();
    let principal;
    try {
      principal = authenticator.authenticate(request.headers.authorization, request.ip);
    } catch (error) {
      return done(error as Error);
    }
    if (!(principal instanceof Promise)) {
      request.principal = principal;
      return done();
    }
    principal.then((found) => {
      request.principal = found;
      done();
    }, done);
  };
}

/** A known route is open when it says so; an unknown one when it is not below the API. OPTIONS asks nothing secret. */
function isOpen(request: FastifyRequest): boolean {
  if (request.method === 'OPTIONS') return true;
  if (request.is404) return !isApiPath(request.url);
  return request.routeOptions.config.public === true;
}

export function isApiPath(url: string): boolean {
  const path = pathOf(url);
  return path === '/v1' || path.startsWith('/v1/');
}

/** The decoded path of a request target, in origin or absolute form; as it is where it cannot be decoded. */
export function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
