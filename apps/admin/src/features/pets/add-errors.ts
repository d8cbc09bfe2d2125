import { PetstoreApiError } from '@petstore/client';
import type { ErrorCode, Pet } from '@petstore/contracts';

/** It failed, and this attempt or an earlier one may have added the animal all the same. */
export class OutcomeUnknown extends Error {
  constructor(override readonly cause?: unknown) {
    super('It is not known whether the animal was added', { cause });
  }
}

/** The answer to an earlier attempt was lost, and there is an animal that may have come of it. */
export class MayBeAdded extends OutcomeUnknown {
  constructor(readonly twin: Pet) {
    super();
  }
}

/**
 * What is wrong with the animal or the key, and was so at each attempt. Any other answer is about the last attempt alone,
 * such as 429, or proves nothing at all: the answer to one before it may have been lost, on its way to a 201.
 */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid_json',
  'invalid_body',
  'invalid_idempotency_key',
  'insufficient_scope',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
]);

/** Whether it proves that no attempt with the same key has added the animal. */
export function isRefusal(error: unknown): boolean {
  return error instanceof PetstoreApiError && refusals.has(error.code);
}
