import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Principal } from '../../platform/http/operation.js';
import { Paths } from '../../platform/http/paths.js';
import { bearerKey } from './api-key.js';
import { ApiKeyRing } from './api-key-ring.js';
import { AuditLog } from './audit-log.js';

const repeatedBearer = 'This API key begins with `Bearer`. Send the word once: `Authorization: Bearer <API_KEY>`.';

/**
 * Checks the API key of a request (RFC 6750, section 2.1) and its scope. A hook calls `check` before the body is read and on
 * paths that do not exist, where Nest calls no guard.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly ring: ApiKeyRing,
    private readonly audit: AuditLog,
    private readonly paths: Paths,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    this.check(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }

  /**
   * Keeps the principal on the request.
   * @throws DomainError missing_api_key, invalid_api_key, insufficient_scope
   */
  check(request: FastifyRequest): void {
    if (!request.principal && this.paths.isPublic(request)) return;
    const { scopes } = (request.principal ??= this.authenticate(request));
    const { scope } = request.routeOptions.config;
    if (scope === undefined || scope === 'any' || scopes.includes(scope)) return;
    throw new DomainError('insufficient_scope', `This API key does not have the scope \`${scope}\`.`);
  }

  private authenticate({ headers: { authorization = '' }, ip }: FastifyRequest): Principal {
    const principal = this.ring.authenticate(authorization);
    if (principal) return principal;
    const key = bearerKey(authorization);
    if (key === undefined) throw new DomainError('missing_api_key');
    // A closed connection has no address.
    const address = (ip as string | undefined) ?? 'unknown';
    this.audit.authenticationFailed(address);
    if (/^Bearer\b/i.test(key)) throw new DomainError('invalid_api_key', repeatedBearer);
    throw new DomainError('invalid_api_key');
  }
}
