import { idempotencyRetentionHours, type NewPet } from '@petstore/contracts';
import type { SendingEntry } from './journal.js';

/** One hour less than the service remembers idempotency keys. */
const repeatableMs = (idempotencyRetentionHours - 1) * 3_600_000;

/** A line to send. */
export interface Attempt {
  pet: NewPet;
  entry: SendingEntry;
  /** Whether an earlier run has sent it. */
  isRepeated: boolean;
}

/**
 * Returns the attempt for a line, or a text that explains why it must not be sent again: it could add a second animal.
 * @param sent the entry of an earlier run that got no response
 */
export function toAttempt(
  { line, pet }: { line: number; pet: NewPet },
  sent: SendingEntry | undefined,
  { importId, apiKeyId }: { importId: string; apiKeyId: string },
): Attempt | string {
  if (sent) return whyNotRepeatable(sent, apiKeyId) ?? { pet, entry: sent, isRepeated: true };
  const idempotencyKey = `${importId}-${line}`;
  return { pet, entry: { type: 'sending', line, idempotencyKey, apiKeyId, at: Date.now() }, isRepeated: false };
}

function whyNotRepeatable({ at, apiKeyId }: SendingEntry, currentKeyId: string): string | undefined {
  if (apiKeyId !== currentKeyId) return `sent with API key ${apiKeyId}, and no response arrived`;
  if (Date.now() - at < repeatableMs) return undefined;
  return `sent at ${new Date(at).toISOString()}, more than ${repeatableMs / 3_600_000} hours ago, and no response arrived`;
}
