import { hash } from 'node:crypto';
import { idempotencyRetentionHours, type NewPet, type Pet } from '@petstore/contracts';

/** Under which key an animal is added at most once. */
export interface Idempotency {
  apiKeyId: number;
  key: string;
}

/** What is kept of a request with a key, to know it again. */
export interface IdempotencyClaim extends Idempotency {
  /** SHA-256 of the animal. */
  fingerprint: Uint8Array<ArrayBuffer>;
  createdAt: Date;
}

/** What an earlier request left under a key. */
export interface IdempotencyRecord {
  fingerprint: Uint8Array;
  createdAt: Date;
  pet: Pet;
}

export function claimOf(idempotency: Idempotency, newPet: Required<NewPet>, now: Date): IdempotencyClaim {
  return { ...idempotency, fingerprint: fingerprintOf(newPet), createdAt: now };
}

/** Keys that were used at this time or before are free again. */
export function retentionStart(now: Date): Date {
  return new Date(now.getTime() - idempotencyRetentionHours * 3_600_000);
}

/** Of the animal, not of its text: an omitted status equals the default, and 1.0 equals 1. */
function fingerprintOf({ name, categoryId, status }: Required<NewPet>): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify([name, categoryId.toString(), status]);
  return new Uint8Array(hash('sha256', text, 'buffer'));
}
