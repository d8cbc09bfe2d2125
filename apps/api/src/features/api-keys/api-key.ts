import { hash, randomBytes } from 'node:crypto';
import type { ApiKeyScope } from '@petstore/contracts';

/** A stored key: everything but the key itself. */
export interface ApiKey {
  id: number;
  name: string;
  scopes: ApiKeyScope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** The stored part of a new key. */
export interface NewApiKey {
  name: string;
  hash: Uint8Array<ArrayBuffer>;
  scopes: ApiKeyScope[];
  expiresAt: Date | null;
}

/** Whether a key is no longer valid. A date that cannot be read counts as passed. */
export function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && !(expiresAt > now);
}

/** `psk_` and 32 random bytes in base64url: 47 characters. */
export function generateKey(): string {
  return `psk_${randomBytes(32).toString('base64url')}`;
}

/** A fast hash is enough, because a key has 256 random bits. */
export function hashKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', key, 'buffer'));
}

/** The key of an `Authorization` header, valid or not; `undefined` without one, or with another scheme. */
export function bearerKey(authorization: string): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization.trim())?.[1];
}
