import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DomainError } from '../errors/domain-error.js';
import { Public } from './access.js';

/** What the service cannot serve without. */
export abstract class Lifeline {
  /** Rejects when it does not answer. */
  abstract ping(): Promise<void>;
}

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly database: Lifeline) {}

  @Get('healthz')
  @Public()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async ready(): Promise<{ status: 'ok' }> {
    try {
      await this.database.ping();
    } catch (cause) {
      throw new DomainError('service_unavailable', 'The database does not answer.', { cause, retryAfter: 1 });
    }
    return { status: 'ok' };
  }
}
