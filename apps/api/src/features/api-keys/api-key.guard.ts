import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ApiKeyScope } from '@petstore/contracts';
import type { FastifyRequest } from 'fastify';
import { publicMetadata, scopeMetadata } from '../../platform/http/security/access.js';
import { InsufficientScope, MissingApiKey } from './api-key.errors.js';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Global: checks scopes, and rejects requests to routes that are not `@Public()` if the hook did not run. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly needs = new Map<Handler, ApiKeyScope | 'nothing'>();

  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const need = this.needOf(context.getHandler());
    if (need === 'nothing') return true;
    // Cheaper than switchToHttp(), which makes three functions anew each time.
    const { principal } = context.getArgByIndex<FastifyRequest>(0);
    if (!principal) throw new MissingApiKey();
    if (!principal.scopes.includes(need)) throw new InsufficientScope(need);
    return true;
  }

  private needOf(handler: Handler): ApiKeyScope | 'nothing' {
    const known = this.needs.get(handler);
    if (known) return known;
    const isPublic = this.reflector.get<true | undefined>(publicMetadata, handler);
    const need = isPublic ? 'nothing' : this.reflector.get<ApiKeyScope | undefined>(scopeMetadata, handler);
    if (need === undefined) throw new Error(`${handler.name} is neither @Public() nor has @RequireScope()`);
    this.needs.set(handler, need);
    return need;
  }
}
