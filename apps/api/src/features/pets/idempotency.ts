import { type NewPet, newPetFields, type Pet } from '@petstore/contracts';

/** The `Idempotency-Key` of a create. It belongs to the API key. */
export interface Idempotency {
  apiKeyId: number;
  key: string;
}

/** Whether a create repeats the one that added this pet with its idempotency key. The API never changes a pet. */
export function isRetry(newPet: NewPet, stored: Pet): boolean {
  return newPetFields.every((field) => newPet[field] === stored[field]);
}
