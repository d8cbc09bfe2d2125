import type { NewPet } from '@petstore/contracts';
import { forgetTab, readTab, writeTab } from '../../shared/tab-storage.js';

/** One animal that is being added. It is kept until its outcome is known, over reloads and other sign-ins. */
export interface Attempt {
  /** The animal, so that a changed one is another attempt. */
  animal: string;
  /** The idempotency key: the service recognises the animal by it, for the API key that it was sent with. */
  key: string;
  /** The mark of that API key; not there before the animal was sent. */
  sentBy?: string;
  /** The highest number that this tab knew of when it began: the animal, if it was added, has a higher one. */
  above: string;
}

const name = 'petstore.attempt';

/** The attempt at an animal: the one that was begun before, or a new one. */
export function attemptAt({ name: petName, categoryId, status }: NewPet, above: bigint): Attempt {
  const animal = JSON.stringify([petName, String(categoryId), status]);
  const { key, sentBy, ...before } = readTab(name) as Partial<Attempt>;
  if (!key || before.animal !== animal) return { animal, key: randomKey(), above: String(above) };
  return { animal, key, above: before.above ?? '0', ...(sentBy !== undefined && { sentBy }) };
}

export function storeAttempt(attempt: Attempt): void {
  writeTab(name, attempt);
}

export function forgetAttempt(): void {
  forgetTab(name);
}

/** Without `randomUUID`, which browsers keep for https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
