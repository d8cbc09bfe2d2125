import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logger.js';
import { CoalescedLog } from '../../platform/logging/coalesced-log.js';
import type { ApiKey } from './api-key.js';
import type { KeyChange } from './api-keys.repository.js';

/** Logs security events at every log level but `silent`. Their names are stable, for searches and alerts. */
@Injectable()
export class AuditLog implements OnApplicationShutdown {
  private readonly logger: Logger;
  private readonly failures: CoalescedLog<string>;

  constructor(@Inject(LOGGER) logger: Logger) {
    this.logger = logger.isLevelEnabled('fatal') ? logger.child({}, { level: 'info' }) : logger;
    this.failures = new CoalescedLog((count, address) =>
      this.logger.warn({ event: 'authentication.failed', count, address }, 'Invalid API keys rejected'),
    );
  }

  keyChanged(change: KeyChange['change'], { id, name, scopes, expiresAt }: ApiKey): void {
    this.logger.info({ event: `api_key.${change}`, apiKeyId: id, name, scopes, expiresAt }, `API key ${change}`);
  }

  /** Coalesced, because an attacker sends thousands. */
  authenticationFailed(address: string): void {
    this.failures.add(address);
  }

  onApplicationShutdown(): void {
    this.failures.flush();
  }
}
