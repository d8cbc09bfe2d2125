import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { withTimeout } from '../errors/timeout.js';
import { DomainError } from '../errors/domain-error.js';
import { Public } from './access.js';

/** Who asks mostly waits no longer. */
const readyMs = 2000;

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
      await withTimeout(this.database.ping(), readyMs);
    } catch (cause) {
      throw new DomainError('service_unavailable', 'The database does not answer.', { cause, retryAfter: 1 });
    }
    return { status: 'ok' };
  }
}
