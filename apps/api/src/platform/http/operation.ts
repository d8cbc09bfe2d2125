import { RouteConfig } from '@nestjs/platform-fastify';
import type { ApiKeyScope } from '@petstore/contracts';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';

/** The API key of a request. */
export interface Principal {
  readonly apiKeyId: number;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresAt: Date | null;
}

/** `any`: every valid API key is sufficient. */
type RequiredScope = ApiKeyScope | 'any';

/** The announced removal of an operation. */
export interface Deprecation {
  since: Date;
  /** From this time, the operation returns 410. */
  removal: Date;
  /** Path of the replacement. */
  successor: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by ApiKeyGuard before the body is read; `undefined` on a public route. */
    principal: Principal | undefined;
  }
  interface FastifyContextConfig {
    /** The route needs no key: it is outside the API. */
    public?: boolean;
    /** The route responds to the methods that its path lacks (paths.ts). */
    isOfOtherMethods?: boolean;
    /** The operationId. Routes without it share the metrics of `other`. */
    operation?: string;
    /** The scope that the API key must have. */
    scope?: RequiredScope;
    /** The route supports ETag and If-None-Match (RFC 9110, section 13). */
    conditional?: boolean;
    deprecation?: Deprecation;
  }
}

interface OperationOptions extends Pick<FastifyContextConfig, 'conditional' | 'deprecation'> {
  /** The operationId: the label of its metrics. */
  id: string;
  scope: RequiredScope;
}

/**
 * An operation that requires a key. Its description in the OpenAPI document names the scope. A route that is neither public nor
 * an operation fails at start (paths.ts).
 */
export function Operation({ id: operation, ...config }: OperationOptions): MethodDecorator {
  return RouteConfig({ ...config, operation });
}

/** Whether the principal may use an operation that requires a scope. */
export function hasScope({ scopes }: Principal, scope: RequiredScope | undefined): boolean {
  return scope === 'any' || (scope !== undefined && scopes.includes(scope));
}

/** The principal of a request to a route that is not public. */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('the request was not authenticated: the route is public');
  return principal;
}
