import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../platform/clock.js';
import { retryAtStart } from '../../platform/database/database-error.js';
import { DiskSpace } from '../../platform/disk-space.js';
import type { Principal } from '../../platform/http/operation.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { repeat } from '../../platform/repeat.js';
import { withTimeout } from '../../platform/time-limit.js';
import { bearerKey, hashKey, isExpired } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const readEveryMs = 1000;
/** After this time, the next read begins: one connection that does not respond must not keep a revoked key valid. */
const readTimeoutMs = 2000;
const saveEveryMs = 10_000;

const unread = 'Cannot read the API keys. The last known keys stay valid. Retries every second.';

/**
 * The usable keys, in memory: authentication needs no query, and the last known keys stay valid while the database is
 * down. They are read again every second, because other processes and the command change keys.
 */
@Injectable()
export class ApiKeyRing implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private entries: ReadonlyMap<string, Principal> = new Map();
  /** The keys in use since the last read, by their header: hashing each again would take 5 % of a get. */
  private readonly known = new Map<string, Principal>();
  private reads = { begun: 0, used: 0 };
  private uses = new Map<number, Date>();
  private stop: (() => void)[] = [];

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
    private readonly disk: DiskSpace,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): Promise<void> {
    return retryAtStart(() => this.reload());
  }

  onApplicationBootstrap(): void {
    this.stop = [
      repeat(
        readEveryMs,
        () => withTimeout(this.reload(), readTimeoutMs),
        (error) => this.logger.warn({ err: error }, unread),
      ),
      repeat(
        saveEveryMs,
        () => this.saveUses(),
        (error) => this.logUnsaved(error),
      ),
    ];
  }

  async onModuleDestroy(): Promise<void> {
    for (const stop of this.stop) stop();
    await this.saveUses().catch((error: unknown) => this.logUnsaved(error));
  }

  /** Whether a request with some key would succeed now. */
  get hasValidKey(): boolean {
    return [...this.entries.values()].some((entry) => !isExpired(entry, this.clock.now()));
  }

  /** The principal of an `Authorization` header with a valid key. */
  authenticate(authorization: string): Principal | undefined {
    const entry = this.known.get(authorization) ?? this.find(authorization);
    const now = this.clock.now();
    if (!entry || isExpired(entry, now)) return undefined;
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
    this.known.clear();
  }

  private find(authorization: string): Principal | undefined {
    const key = bearerKey(authorization);
    const entry = key === undefined ? undefined : this.entries.get(toText(hashKey(key)));
    if (entry) this.known.set(`Bearer ${key}`, entry);
    return entry;
  }

  /** Writes the last uses in intervals, so that a request costs no write. */
  private async saveUses(): Promise<void> {
    const uses = this.uses;
    if (uses.size === 0 || this.disk.isFull) return;
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

/** Returns a hash as the key of a Map. */
function toText(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64url');
}
