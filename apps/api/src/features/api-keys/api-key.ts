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

/** What is stored when a key is made. */
export interface NewApiKey {
  name: string;
  hash: Uint8Array<ArrayBuffer>;
  scopes: ApiKeyScope[];
  expiresAt: Date | null;
}

/** `psk_` and 32 random bytes in base64url: 47 characters. */
export function makeKey(): string {
  return `psk_${randomBytes(32).toString('base64url')}`;
}

/** A plain digest is enough: the key has 256 random bits, so there is nothing to guess. */
export function hashKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', key, 'buffer'));
}

/** The key of an `Authorization` header, good or not; `undefined` when it has none. Another scheme brings none either. */
export function bearerKey(authorization: string): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization.trim())?.[1];
}

/** The same as text, to look a key up by. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
