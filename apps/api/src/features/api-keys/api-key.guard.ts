import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ApiKeyScope } from '@petstore/contracts';
import type { FastifyRequest } from 'fastify';
import { publicMetadata, scopeMetadata } from '../../platform/http/security/access.js';
import { InsufficientScope, MissingApiKey } from './api-key.errors.js';

/** Global: checks scopes, and rejects requests to routes that are not `@Public()` if the hook did not run. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    if (this.reflector.get<true | undefined>(publicMetadata, handler)) return true;
    const scope = this.reflector.get<ApiKeyScope | undefined>(scopeMetadata, handler);
    if (scope === undefined) throw new Error(`${handler.name} is neither @Public() nor has @RequireScope()`);
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!principal) throw new MissingApiKey();
    if (!principal.scopes.includes(scope)) throw new InsufficientScope(scope);
    return true;
  }
}
