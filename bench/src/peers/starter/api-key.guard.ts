import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { apiKey } from '../environment.js';

interface Request {
  headers: { authorization?: string };
}

@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<Request>();
    const [type, token] = headers.authorization?.split(' ') ?? [];
    if (type === 'Bearer' && token === apiKey) return true;
    throw new UnauthorizedException();
  }
}
