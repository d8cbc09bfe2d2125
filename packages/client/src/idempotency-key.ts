import { idempotencyKeyPattern } from '@petstore/contracts';

/** A new key of 128 random bits. */
export function newIdempotencyKey(): string {
  // Not randomUUID: browsers keep that for secure contexts, and a store's tablet may open the service by plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws TypeError when the key is none that can be sent. */
export function checkIdempotencyKey(key: string): string {
  // The pattern alone would take null for its letters, and each call with it for the same.
  if (typeof key === 'string' && idempotencyKeyPattern.test(key)) return key;
  throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
}
