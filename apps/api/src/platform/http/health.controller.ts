import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { databaseAway, DomainError } from '../errors/domain-error.js';
import { Public } from './operation.js';
import { Connections } from './connections.js';

/** The dependency without which the service cannot serve requests. */
export abstract class ReadinessCheck {
  /** Rejects when the dependency does not respond in time. */
  abstract ping(): Promise<void>;
}

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly database: ReadinessCheck,
    private readonly connections: Connections,
  ) {}

  @Get('healthz')
  @Public()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async ready(): Promise<{ status: 'ok' }> {
    if (this.connections.isDraining) {
      throw new DomainError('service_unavailable', 'The service is stopping. Try again in 1 second.', {
        retryAfter: 1,
      });
    }
    try {
      await this.database.ping();
    } catch (cause) {
      throw databaseAway({ cause });
    }
    return { status: 'ok' };
  }
}
