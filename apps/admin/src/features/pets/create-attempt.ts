import type { NewPet } from '@petstore/contracts';
import { readTabState, removeTabState, writeTabState } from '../../shared/browser-storage.js';

/** A create request whose outcome may be unknown. It is stored before the request, and survives a reload. */
export interface CreateAttempt {
  /** A changed animal is another attempt. */
  animal: string;
  /** The service recognizes a retry by this key, if it was sent with the same API key. */
  idempotencyKey: string;
  /** The hash of the API key that the last request was sent with; absent before the first one. */
  keyHash?: string;
  /** The highest animal number before the first request: the new animal has a higher one. */
  idBefore: string;
}

const storageName = 'petstore.attempt';

/** The stored attempt to create this animal, or a new one. */
export function attemptFor(newPet: NewPet, highestId: bigint): CreateAttempt {
  const stored = storedAttempt(newPet);
  return stored ?? { animal: textOf(newPet), idempotencyKey: randomKey(), idBefore: String(highestId) };
}

/** Whether an earlier attempt to create this animal is stored. */
export function isRetry(newPet: NewPet): boolean {
  return storedAttempt(newPet) !== undefined;
}

function storedAttempt(newPet: NewPet): CreateAttempt | undefined {
  const stored = readTabState<CreateAttempt>(storageName);
  return stored.animal === textOf(newPet) ? (stored as CreateAttempt) : undefined;
}

function textOf(newPet: NewPet): string {
  return JSON.stringify(newPet, (_field, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

export const writeAttempt = (attempt: CreateAttempt) => writeTabState(storageName, attempt);
export const removeAttempt = () => removeTabState(storageName);

/** Browsers offer `crypto.randomUUID` on https only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
