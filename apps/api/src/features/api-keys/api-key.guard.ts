import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ApiKeyScope } from '@petstore/contracts';
import type { FastifyRequest } from 'fastify';
import { publicMetadata, scopeMetadata } from '../../platform/http/access.js';
import { InsufficientScope, MissingApiKey } from './api-key.errors.js';

/** Global: judges scopes, and closes every route that is not `@Public()` should the hook ever not have run. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    if (this.reflector.get<true | undefined>(publicMetadata, handler)) return true;
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!principal) throw new MissingApiKey();
    const scope = this.reflector.get<ApiKeyScope | undefined>(scopeMetadata, handler);
    if (scope === undefined) throw new Error(`${handler.name} is neither @Public() nor has @RequireScope()`);
    if (!principal.scopes.includes(scope)) throw new InsufficientScope(scope);
    return true;
  }
}
