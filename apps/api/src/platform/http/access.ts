import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ApiKeyScope } from '@petstore/contracts';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import { isApiPath, pathOf } from './request-target.js';

/** The API key of a request. */
export interface Principal {
  readonly apiKeyId: number;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresAt: Date | null;
}

/** Authenticates API keys. The feature that stores them provides it. */
export abstract class Authenticator {
  /** The principal of an `Authorization` header with a valid key. */
  abstract authenticate(authorization: string | undefined): Principal | undefined;

  /**
   * The error for any other header: missing_api_key, invalid_api_key or, after too many failures, rate_limited.
   * `address` is `undefined` if the connection has ended, although `request.ip` is typed as a string.
   */
  abstract reject(authorization: string | undefined, address: string | undefined): DomainError;
}

/** `any`: every valid API key is sufficient. */
type RequiredScope = ApiKeyScope | 'any';

declare module 'fastify' {
  interface FastifyRequest {
    /** `undefined` on a public route. */
    principal: Principal | undefined;
  }
  interface FastifyContextConfig {
    public?: boolean;
    /** The operationId. Routes without it share the metrics of `other`. */
    operation?: string;
    /** The scope that the API key must have. */
    scope?: RequiredScope;
  }
}

/** Makes a route outside the API accessible without a key. Every other route requires one. */
export function Public(): MethodDecorator {
  return RouteConfig({ public: true });
}

interface OperationOptions extends Pick<FastifyContextConfig, 'conditional' | 'deprecation'> {
  /** The operationId: the label of its metrics. */
  id: string;
  scope: RequiredScope;
}

/** An operation that requires a key. A route that is neither public nor an operation fails at start (route.ts). */
export function Operation({ id: operation, ...config }: OperationOptions): MethodDecorator {
  return RouteConfig({ ...config, operation });
}

/**
 * Authenticates requests and checks their scope in a hook. A Nest guard would run after the body was read, and not on a
 * route that does not exist.
 */
export function authenticateRequests(fastify: FastifyInstance, authenticator: Authenticator): void {
  fastify.decorateRequest('principal', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (isPublic(request)) return done();
    const { authorization } = request.headers;
    request.principal = authenticator.authenticate(authorization);
    if (request.principal) return done(scopeError(request.principal, request.routeOptions.config));
    done(authenticator.reject(authorization, request.ip));
  });
}

function scopeError({ scopes }: Principal, { scope }: FastifyContextConfig): DomainError | undefined {
  if (scope === undefined || scope === 'any' || scopes.includes(scope)) return undefined;
  return new DomainError('insufficient_scope', `This API key does not have the scope \`${scope}\`.`);
}

/** The principal of a request to a route that is not public. */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('the request was not authenticated: the route is public');
  return principal;
}

/** Every path of the API requires a key. Elsewhere, public routes and unknown paths do not. */
function isPublic(request: FastifyRequest): boolean {
  if (request.method === 'OPTIONS') return true;
  if (isApiPath(pathOf(request.originalUrl))) return false;
  return request.is404 || request.routeOptions.config.public === true;
}

/** Global: rejects requests that `authenticateRequests` did not check. */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { principal, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    if (routeOptions.config.public !== true && !principal) throw new DomainError('missing_api_key');
    return true;
  }
}
