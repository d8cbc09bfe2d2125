import type { PetStatus } from './pet.js';

/** By id: `asc` is oldest first, `desc` newest first. */
export const listOrders = ['asc', 'desc'] as const;
export type ListOrder = (typeof listOrders)[number];

/** Bounds and default of `limit`, in animals (specification, section 4.1). */
export const listLimits = { min: 1, max: 100, default: 20 } as const;

/** The query of `GET /v1/pets` (specification, section 4.1). */
export interface ListPetsQuery {
  /** 1 to 100 animals; 20 when omitted. */
  limit?: number;
  /** Only animals with this status. */
  status?: PetStatus;
  /** `asc` when omitted. */
  order?: ListOrder;
  /** The cursor of a `Link` with `rel="next"`: opaque, and valid only for the status and order of that list. */
  after?: string;
  /** Only the animal with this id. Can be combined only with `status`. */
  id?: bigint;
}

/** The `Idempotency-Key` header: 1 to 255 visible ASCII characters. It is scoped to the API key. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
/** How long the service recognizes an idempotency key after its create, in hours. */
export const idempotencyRetentionHours = 24;
