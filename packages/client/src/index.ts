export { parseJson, stringifyJson } from '@petstore/contracts';
export type { ErrorCode, ListOrder, Pet, PetStatus } from '@petstore/contracts';
export type { ApiPromise, ApiResponse } from './api-promise.js';
export type { Attempt, Wait } from './attempt.js';
export {
  type ApiErrorCode,
  isTemporary,
  PetstoreApiError,
  PetstoreNetworkError,
  PetstoreTimeoutError,
} from './errors.js';
export type { ListPetsOptions, PetList, PetPage } from './pet-list.js';
export { type CreatePetOptions, newIdempotencyKey, type NewPet, PetstoreClient } from './petstore-client.js';
export type { PetstoreClientOptions, RequestOptions } from './options.js';
