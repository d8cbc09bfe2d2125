import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock, repeat } from '../../platform/clock.js';
import { retryAtStart } from '../../platform/database/database-error.js';
import { DatabaseNotifications } from '../../platform/database/notifications.js';
import type { Principal } from '../../platform/http/access.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { bearerKey, hashKey } from './api-key.js';
import { apiKeyChannel, ApiKeysRepository } from './api-keys.repository.js';

const saveEveryMs = 10_000;

/**
 * The usable keys, in memory: authentication needs no query, and the last known keys stay valid while the database is
 * down. Reloaded whenever a key changes.
 */
@Injectable()
export class ApiKeyRing implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private entries: ReadonlyMap<string, Principal> = new Map();
  /**
   * Caches entries by `Authorization` header since the last reload: a key is not hashed for each request. Only the spelling
   * `Bearer <key>` is cached, so there is at most one entry per key.
   */
  private readonly cached = new Map<string, Principal>();
  private reads = { begun: 0, used: 0 };
  private uses = new Map<number, Date>();
  private stopSaving: (() => void) | undefined;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly notifications: DatabaseNotifications,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): Promise<void> {
    return retryAtStart(() => this.reload());
  }

  onApplicationBootstrap(): void {
    this.notifications.subscribe(apiKeyChannel, () => this.reload());
    this.stopSaving = repeat(
      saveEveryMs,
      () => this.saveUses(),
      (error) => this.logUnsaved(error),
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.stopSaving?.();
    await this.saveUses().catch((error: unknown) => this.logUnsaved(error));
  }

  /** Whether no key is usable. */
  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** The principal of an `Authorization` header with a valid key. */
  authenticate(authorization: string): Principal | undefined {
    const entry = this.cached.get(authorization) ?? this.find(authorization);
    if (!entry) return undefined;
    const now = this.clock.now();
    if (entry.expiresAt && entry.expiresAt <= now) return undefined;
    this.uses.set(entry.apiKeyId, now);
    return entry;
  }

  async reload(): Promise<void> {
    const read = (this.reads.begun += 1);
    const usable = await this.keys.findUsable();
    // A slow read may end after one that began later, and must not restore a revoked key.
    if (read < this.reads.used) return;
    this.reads.used = read;
    this.entries = new Map(
      usable.map(({ id, hash, name, scopes, expiresAt }) => [toText(hash), { apiKeyId: id, name, scopes, expiresAt }]),
    );
    this.cached.clear();
  }

  private find(authorization: string): Principal | undefined {
    const key = bearerKey(authorization);
    const entry = key === undefined ? undefined : this.entries.get(toText(hashKey(key)));
    if (entry) this.cached.set(`Bearer ${key}`, entry);
    return entry;
  }

  /** Writes the last uses in intervals, so that a request costs no write. */
  private async saveUses(): Promise<void> {
    const uses = this.uses;
    if (uses.size === 0) return;
    this.uses = new Map();
    try {
      await this.keys.saveLastUsed(uses);
    } catch (error) {
      this.uses = new Map([...uses, ...this.uses]);
      throw error;
    }
  }

  private logUnsaved(error: unknown): void {
    this.logger.warn({ err: error }, 'Cannot save when API keys were last used. The next attempt is in 10 s.');
  }
}

/** As the key of a Map. */
function toText(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64url');
}
