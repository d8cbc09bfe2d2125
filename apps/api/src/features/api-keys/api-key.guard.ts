import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors/domain-error.js';
import { hasScope, type Principal } from '../../platform/http/operation.js';
import { isPublic } from '../../platform/http/paths.js';
import { bearerKey } from './api-key.js';
import { ApiKeyRing } from './api-key-ring.js';
import { AuditLog } from './audit-log.js';

const repeatedBearer = 'This API key begins with `Bearer`. Send the word once: `Authorization: Bearer <API_KEY>`.';

/** Authenticates requests by their API key (RFC 6750), and authorizes them by its scopes. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly ring: ApiKeyRing,
    private readonly audit: AuditLog,
  ) {}

  /** The hook has authenticated the request. A route that it does not cover is closed. */
  canActivate(context: ExecutionContext): boolean {
    const { principal, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const { public: isOpen, scope } = routeOptions.config;
    return isOpen === true || (principal !== undefined && hasScope(principal, scope));
  }

  /**
   * Keeps the principal on the request.
   * @throws DomainError missing_api_key, invalid_api_key, insufficient_scope
   */
  authenticate(request: FastifyRequest, reply: FastifyReply): void {
    if (isPublic(request)) return;
    request.principal = this.principalOf(request, reply);
    const { scope } = request.routeOptions.config;
    if (scope === undefined || hasScope(request.principal, scope)) return;
    challenge(reply, `, error="insufficient_scope", scope="${scope}"`);
    throw new DomainError('insufficient_scope', `This API key does not have the scope \`${scope}\`.`);
  }

  private principalOf({ headers: { authorization = '' }, ip }: FastifyRequest, reply: FastifyReply): Principal {
    const principal = this.ring.authenticate(authorization);
    if (principal) return principal;
    const key = bearerKey(authorization);
    // RFC 6750, section 3: without an error code when no key was sent.
    challenge(reply, key === undefined ? '' : ', error="invalid_token"');
    if (key === undefined) throw new DomainError('missing_api_key');
    this.audit.authenticationFailed(ip);
    if (/^Bearer\b/i.test(key)) throw new DomainError('invalid_api_key', repeatedBearer);
    throw new DomainError('invalid_api_key');
  }
}

function challenge(reply: FastifyReply, parameters: string): void {
  void reply.header('WWW-Authenticate', `Bearer realm="petstore"${parameters}`);
}

/** Checks key and scope before the body is read, also on paths that do not exist. Nest calls a guard later, and not there. */
export function authenticateRequests(fastify: FastifyInstance, guard: ApiKeyGuard): void {
  fastify.decorateRequest('principal', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    guard.authenticate(request, reply);
    done();
  });
}
