import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MissingApiKey } from './api-key.errors.js';

/** Global: rejects requests that the authentication hook did not check. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { principal, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const { public: isPublic, scope } = routeOptions.config;
    if (isPublic === true) return true;
    if (scope === undefined)
      throw new Error(`${context.getHandler().name} is neither @Public() nor has @RequireScope()`);
    if (!principal) throw new MissingApiKey();
    return true;
  }
}
