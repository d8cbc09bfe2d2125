import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ApiKeyScope } from '@petstore/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DomainError } from '../../errors/domain-error.js';
import { isApiPath, pathOf } from '../routing/request-target.js';

/** The key that a request came with. */
export interface Principal {
  readonly apiKeyId: number;
  readonly scopes: readonly ApiKeyScope[];
}

/** Knows the keys. The feature that keeps them provides it. */
export abstract class Authenticator {
  /** The holder of the key in an `Authorization` header, when it is a good one. */
  abstract recognise(authorization: string | undefined): Principal | undefined;

  /**
   * Why another header is refused: missing_api_key or invalid_api_key; rate_limited after too many from an address. A
   * connection that has ended meanwhile has none, whatever the type of `request.ip` says.
   */
  abstract refuse(authorization: string | undefined, address: string | undefined): Promise<DomainError>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key it is; `undefined` on a route that is open. */
    principal: Principal | undefined;
  }
  interface FastifyContextConfig {
    public?: boolean;
  }
}

export const publicMetadata = 'public';
export const scopeMetadata = 'scope';

/** Opens one route outside the API to requests without a key. Every other route is closed. */
export function Public(): MethodDecorator {
  return applyDecorators(SetMetadata(publicMetadata, true), RouteConfig({ public: true }));
}

/** The scope that a key needs for a route. A closed route without one is a mistake, and refused. */
export function RequireScope(scope: ApiKeyScope): MethodDecorator {
  return SetMetadata(scopeMetadata, scope);
}

/**
 * Judges the key before anything else of a request. In a hook, and not only in a guard, because guards run after
 * the body was read, and never on a route that does not exist.
 */
export function judgeKeys(fastify: FastifyInstance, authenticator: Authenticator): void {
  fastify.decorateRequest('principal', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isOpen(request)) return done();
    const { authorization } = request.headers;
    request.principal = authenticator.recognise(authorization);
    if (request.principal) return done();
    authenticator.refuse(authorization, request.ip).then(done, done);
  });
}

/** For handlers of closed routes, which no request reaches without a key. */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('no key was judged: the route is open');
  return principal;
}

/** The API is closed whatever its routes say; outside, what says so is open, and what does not exist. */
function isOpen(request: FastifyRequest): boolean {
  if (request.method === 'OPTIONS') return true;
  if (isApiPath(pathOf(request.originalUrl))) return false;
  return request.is404 || request.routeOptions.config.public === true;
}
