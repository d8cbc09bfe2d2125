import { idempotencyKeyPattern } from '@petstore/contracts';

/** Creates a random key of 128 bits. */
export function newIdempotencyKey(): string {
  // Not randomUUID: browsers offer it only in secure contexts, and a store's tablet may open the service over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws TypeError if the key is invalid. */
export function checkIdempotencyKey(key: string): string {
  // The pattern alone accepts null, which it reads as "null".
  if (typeof key === 'string' && idempotencyKeyPattern.test(key)) return key;
  throw new TypeError('`idempotencyKey` must be 1 to 255 visible ASCII characters.');
}
