import { Injectable } from '@nestjs/common';
import { type ApiKeyScope, apiKeyScopes } from '@petstore/contracts';
import { Clock } from '../../platform/clock.js';
import { type ApiKey, hashKey, generateKey } from './api-key.js';
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
  ) {}

  async create(name: string, scopes: ApiKeyScope[], expiresAt: Date | null): Promise<CreatedApiKey> {
    const key = generateKey();
    const created = await this.keys.create({ name, hash: hashKey(key), scopes, expiresAt });
    this.audit.keyCreated(created);
    return { ...created, key };
  }

  list(): Promise<ApiKey[]> {
    return this.keys.findAll();
  }

  /** The revoked key, or `undefined` if no key has this id. A second revocation keeps the first time. */
  async revoke(id: number): Promise<ApiKey | undefined> {
    const revoked = await this.keys.revoke(id, this.clock.now());
    if (revoked) this.audit.keyRevoked(revoked);
    return revoked ?? (await this.keys.find(id)) ?? undefined;
  }

  /** Creates a key with full rights if there has never been a key. `announce` shows it before the commit. */
  async createFirst(announce: (key: string) => Promise<void>): Promise<void> {
    const key = generateKey();
    const newKey = { name: 'first key', hash: hashKey(key), scopes: [...apiKeyScopes], expiresAt: null };
    const created = await this.keys.createFirst(newKey, () => announce(key));
    if (created) this.audit.keyCreated(created);
  }

  /**
   * Sets the key named `bootstrap`, with full rights, and revokes other keys of that name. A key that exists gets this name
   * and these rights.
   */
  async setBootstrapKey(key: string): Promise<void> {
    const newKey = { name: bootstrapName, hash: hashKey(key), scopes: [...apiKeyScopes], expiresAt: null };
    const { created, restored, revoked } = await this.keys.replaceByName(newKey, this.clock.now());
    for (const old of revoked) this.audit.keyRevoked(old);
    if (created) this.audit.keyCreated(created);
    if (restored) this.audit.keyRestored(restored);
  }
}
