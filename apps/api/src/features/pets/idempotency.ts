import { hash } from 'node:crypto';
import { idempotencyRetentionHours, type NewPet } from '@petstore/contracts';
import { newPetFields } from './pet.columns.js';

/** Identifies a retried create. */
export interface Idempotency {
  apiKeyId: number;
  key: string;
}

/** What the service stores about the first request with an idempotency key. */
export interface IdempotencyClaim extends Idempotency {
  fingerprint: Buffer;
  createdAt: Date;
}

export interface IdempotencyRecord {
  fingerprint: Uint8Array;
  createdAt: Date;
  petId: bigint;
}

/** Change it when fingerprints of equal pets change, so that retries across an upgrade are not rejected. */
const fingerprintVersion = 1;

export function createClaim(idempotency: Idempotency, newPet: NewPet, now: Date): IdempotencyClaim {
  return { ...idempotency, fingerprint: fingerprintOf(newPet), createdAt: now };
}

/** Keys that were used at this time or earlier have expired. */
export function retentionStart(now: Date): Date {
  return new Date(now.getTime() - idempotencyRetentionHours * 3_600_000);
}

/** Whether the request repeats the recorded one. Fingerprints of different versions cannot be compared and count as equal. */
export function isRetry(claim: IdempotencyClaim, record: IdempotencyRecord): boolean {
  return claim.fingerprint[0] !== record.fingerprint[0] || claim.fingerprint.equals(record.fingerprint);
}

/**
 * A version byte, then the SHA-256 of the values: not of the request's text, so that 1.0 equals 1. Omitted optional fields
 * are left out, so that a new field does not change existing fingerprints.
 */
function fingerprintOf(newPet: NewPet): Buffer {
  const values = newPetFields
    .filter((field) => newPet[field] !== undefined)
    .map((field) => [field, String(newPet[field])]);
  return Buffer.concat([Buffer.of(fingerprintVersion), hash('sha256', JSON.stringify(values), 'buffer')]);
}
