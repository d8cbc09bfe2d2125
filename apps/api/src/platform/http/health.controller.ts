import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PrismaService } from '../database/prisma.service.js';
import { DomainError } from '../errors/domain-error.js';
import { Public } from './access.js';

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly prisma: PrismaService) {}

  @Get('healthz')
  @Public()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async ready(): Promise<{ status: 'ok' }> {
    try {
      await this.prisma.ping();
    } catch (cause) {
      throw new DomainError('service_unavailable', 'The database does not answer.', { cause, retryAfter: 1 });
    }
    return { status: 'ok' };
  }
}
