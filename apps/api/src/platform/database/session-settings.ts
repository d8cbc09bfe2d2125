import { databaseTimeoutMs } from '../errors/unavailable.js';

export interface SessionSetting {
  name: string;
  /** In milliseconds for a timeout, as in `pg_settings`. */
  value: string;
  /** Whether a shorter value is also acceptable. 0 means no timeout. */
  isTimeout: boolean;
}

/**
 * UTC, because Prisma's adapter reads and writes timestamps without a zone. Generic plans, because planning a page takes
 * longer than reading it. A lock timeout shorter than the request's timeout, so that a rejected request has no effect
 * later. READ COMMITTED, because the statements are written for it.
 */
export function sessionSettings(statementTimeoutMs: number): SessionSetting[] {
  return [
    { name: 'statement_timeout', value: String(statementTimeoutMs), isTimeout: true },
    { name: 'lock_timeout', value: String(databaseTimeoutMs - 1000), isTimeout: true },
    { name: 'plan_cache_mode', value: 'force_generic_plan', isTimeout: false },
    { name: 'default_transaction_isolation', value: 'read committed', isTimeout: false },
    { name: 'TimeZone', value: 'UTC', isTimeout: false },
  ];
}

/** As the startup parameter `options`. */
export function toStartupOptions(settings: readonly SessionSetting[]): string {
  return settings.map(({ name, value }) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`).join(' ');
}
