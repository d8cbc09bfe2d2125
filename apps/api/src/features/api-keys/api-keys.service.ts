import { Injectable } from '@nestjs/common';
import { type ApiKeyScope, apiKeyScopes } from '@petstore/contracts';
import { Clock } from '../../platform/clock.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { type ApiKey, generateKey, hashKey, type NewApiKey } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { AuditLog } from './audit-log.js';

/** The name of the key that BOOTSTRAP_API_KEY sets. */
export const bootstrapName = 'bootstrap';

export interface CreatedApiKey extends ApiKey {
  /** Shown once, and stored nowhere. */
  key: string;
}

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    metrics: Metrics,
  ) {
    const help = 'When an API key expires, by its id. Revoked keys, and those that do not expire, have no value.';
    metrics.gauge('petstore_api_key_expires_timestamp_seconds', help, () => this.expiryTimes(), 'api_key_id');
  }

  async create(name: string, scopes: ApiKeyScope[], expiresAt: Date | null): Promise<CreatedApiKey> {
    const key = generateKey();
    const created = await this.keys.create({ name, hash: hashKey(key), scopes, expiresAt });
    this.audit.keyChanged('created', created);
    return { ...created, key };
  }

  list(): Promise<ApiKey[]> {
    return this.keys.findAll();
  }

  /** The revoked key, or `undefined` if no key has this id. A second revocation keeps the first time. */
  async revoke(id: number): Promise<ApiKey | undefined> {
    const revoked = await this.keys.revoke(id, this.clock.now());
    if (revoked) this.audit.keyChanged('revoked', revoked);
    return revoked ?? (await this.keys.find(id)) ?? undefined;
  }

  /** In seconds since 1970, by the ids of the keys. */
  private async expiryTimes(): Promise<Record<string, number>> {
    const times: Record<string, number> = {};
    for (const { id, expiresAt, revokedAt } of await this.list()) {
      if (expiresAt && !revokedAt) times[id] = expiresAt.getTime() / 1000;
    }
    return times;
  }

  /** Creates a key with full rights if there has never been a key. `announce` shows it before the commit. */
  async createFirst(announce: (key: string) => Promise<void>): Promise<void> {
    const key = generateKey();
    const created = await this.keys.createFirst(withFullRights('first key', key), () => announce(key));
    if (created) this.audit.keyChanged('created', created);
  }

  /**
   * Sets the key named `bootstrap`, with full rights, and revokes other keys of that name. A key that exists gets this name
   * and these rights.
   */
  async setBootstrapKey(key: string): Promise<void> {
    const changes = await this.keys.replaceByName(withFullRights(bootstrapName, key), this.clock.now());
    for (const { change, key: changed } of changes) this.audit.keyChanged(change, changed);
  }
}

function withFullRights(name: string, key: string): NewApiKey {
  return { name, hash: hashKey(key), scopes: [...apiKeyScopes], expiresAt: null };
}
