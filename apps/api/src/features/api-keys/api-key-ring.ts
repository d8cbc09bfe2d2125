import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../platform/clock/clock.js';
import { DatabaseNotifications } from '../../platform/database/notifications.js';
import type { Principal } from '../../platform/http/security/access.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { bearerKey, digestOf } from './api-key.js';
import { apiKeyChannel, ApiKeysRepository } from './api-keys.repository.js';

interface RingEntry extends Principal {
  expiresAt: Date | null;
}

const saveEveryMs = 10_000;

/**
 * The usable keys, in memory: recognising one costs no query, a wrong one neither, and while the database is away
 * the last known keys go on being recognised. Read again whenever a key changes.
 */
@Injectable()
export class ApiKeyRing implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private entries: ReadonlyMap<string, RingEntry> = new Map();
  /**
   * By `Authorization` header, what was recognised since the last read: a key is neither looked for in its header nor
   * hashed for each of its requests. In one spelling of the header only, so that there are no more than keys.
   */
  private readonly recognised = new Map<string, RingEntry>();
  private reads = { begun: 0, used: 0 };
  private uses = new Map<number, Date>();
  private saving: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly notifications: DatabaseNotifications,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.reload();
  }

  onApplicationBootstrap(): void {
    this.notifications.subscribe(apiKeyChannel, () => this.reload());
    this.saving = setInterval(() => void this.saveUses(), saveEveryMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.saving);
    await this.saveUses();
  }

  /** Whose key an `Authorization` header brings, when it is a good one. */
  recognise(authorization: string): Principal | undefined {
    const entry = this.recognised.get(authorization) ?? this.find(authorization);
    if (!entry) return undefined;
    const now = this.clock.now();
    if (entry.expiresAt && entry.expiresAt <= now) return undefined;
    this.uses.set(entry.apiKeyId, now);
    return entry;
  }

  async reload(): Promise<void> {
    const read = (this.reads.begun += 1);
    const usable = await this.keys.findUsable();
    // A slow read may end after one that began later, and must not bring a revoked key back.
    if (read < this.reads.used) return;
    this.reads.used = read;
    this.entries = new Map(
      usable.map(({ id, hash, scopes, expiresAt }) => [
        Buffer.from(hash).toString('base64url'),
        { apiKeyId: id, scopes, expiresAt },
      ]),
    );
    this.recognised.clear();
  }

  private find(authorization: string): RingEntry | undefined {
    const key = bearerKey(authorization);
    const entry = key === undefined ? undefined : this.entries.get(digestOf(key));
    if (entry) this.recognised.set(`Bearer ${key}`, entry);
    return entry;
  }

  /** Last uses are kept here and written now and then, so that a request costs no write. */
  private async saveUses(): Promise<void> {
    const uses = this.uses;
    if (uses.size === 0) return;
    this.uses = new Map();
    try {
      await this.keys.saveLastUsed(uses);
    } catch (error) {
      this.uses = new Map([...uses, ...this.uses]);
      this.logger.warn({ err: error }, 'the last uses of keys were not saved; they are kept for the next try');
    }
  }
}
