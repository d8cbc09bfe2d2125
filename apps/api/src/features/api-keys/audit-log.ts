import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logger.js';
import type { ApiKey } from './api-key.js';

const failuresEveryMs = 1000;

/** Logs security events at every log level but `silent`. Their names are stable, for searches and alerts. */
@Injectable()
export class AuditLog implements OnApplicationShutdown {
  private readonly logger: Logger;
  private failures: { count: number; address: string; timer: NodeJS.Timeout } | undefined;

  constructor(@Inject(LOGGER) logger: Logger) {
    this.logger = logger.isLevelEnabled('fatal') ? logger.child({}, { level: 'info' }) : logger;
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

  /** Coalesced into one line per second: an attacker sends thousands. */
  authenticationFailed(address: string): void {
    const timer = this.failures?.timer ?? setTimeout(() => this.flushFailures(), failuresEveryMs).unref();
    this.failures = { address, ...this.failures, timer, count: (this.failures?.count ?? 0) + 1 };
  }

  onApplicationShutdown(): void {
    this.flushFailures();
  }

  private flushFailures(): void {
    if (!this.failures) return;
    const { count, address, timer } = this.failures;
    clearTimeout(timer);
    this.failures = undefined;
    this.logger.warn({ event: 'authentication.failed', count, firstAddress: address }, 'Invalid API keys rejected');
  }
}

function detailsOf({ id, name, scopes, expiresAt }: ApiKey) {
  return { apiKeyId: id, name, scopes, expiresAt };
}
