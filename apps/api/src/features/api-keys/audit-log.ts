import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logger.js';
import { CoalescedLog } from '../../platform/logging/coalesced-log.js';
import type { ApiKey } from './api-key.js';

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

  keyCreated(key: ApiKey): void {
    this.logger.info({ event: 'api_key.created', ...detailsOf(key) }, 'API key created');
  }

  keyRevoked(key: ApiKey): void {
    this.logger.info({ event: 'api_key.revoked', ...detailsOf(key) }, 'API key revoked');
  }

  /** A revoked key is usable again: only BOOTSTRAP_API_KEY does this. */
  keyRestored(key: ApiKey): void {
    this.logger.info({ event: 'api_key.restored', ...detailsOf(key) }, 'API key restored');
  }

  /** Coalesced, because an attacker sends thousands. */
  authenticationFailed(address: string): void {
    this.failures.add(address);
  }

  onApplicationShutdown(): void {
    this.failures.flush();
  }
}

function detailsOf({ id, name, scopes, expiresAt }: ApiKey) {
  return { apiKeyId: id, name, scopes, expiresAt };
}
