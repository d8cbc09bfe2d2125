import { Injectable } from '@nestjs/common';
import { type ApiKeyScope, apiKeyScopes } from '@petstore/contracts';
import { Clock } from '../../platform/clock/clock.js';
import { type ApiKey, hashKey, makeKey } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/** The name of the key that BOOTSTRAP_API_KEY sets. */
export const bootstrapName = 'bootstrap';

export interface MadeApiKey extends ApiKey {
  /** Shown once: it is stored nowhere. */
  key: string;
}

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  async create(name: string, scopes: ApiKeyScope[], expiresAt: Date | null): Promise<MadeApiKey> {
    const key = makeKey();
    return { ...(await this.keys.create({ name, hash: hashKey(key), scopes, expiresAt })), key };
  }

  list(): Promise<ApiKey[]> {
    return this.keys.findAll();
  }

  /** The revoked key, or `undefined` when there is none with this id. Revoking twice keeps the first time. */
  async revoke(id: number): Promise<ApiKey | undefined> {
    const key = await this.keys.find(id);
    if (!key) return undefined;
    return key.revokedAt ? key : this.keys.revoke(id, this.clock.now());
  }

  /** Makes a key with full rights where there has never been one, and has it told. */
  async createFirst(announce: (key: string) => Promise<void>): Promise<void> {
    const key = makeKey();
    const newKey = { name: 'first key', hash: hashKey(key), scopes: [...apiKeyScopes], expiresAt: null };
    await this.keys.createFirst(newKey, () => announce(key));
  }

  /** Makes this the key named `bootstrap`, with full rights; an earlier one of that name is revoked. */
  async setBootstrapKey(key: string): Promise<void> {
    const newKey = { name: bootstrapName, hash: hashKey(key), scopes: [...apiKeyScopes], expiresAt: null };
    await this.keys.replaceByName(newKey, this.clock.now());
  }
}
