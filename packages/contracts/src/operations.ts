import type { PetStatus } from './pet.js';

/** By id: `asc` is oldest first, `desc` newest first. */
export const listOrders = ['asc', 'desc'] as const;
export type ListOrder = (typeof listOrders)[number];

/** Bounds and default of `limit`, in animals (specification, section 4.1). */
export const listLimits = { min: 1, max: 100, default: 20 } as const;

/** The maximum number of different categories in a filter. */
export const maxCategoryIds = 20;

/** Which animals a list has. An animal must match every filter. */
export interface PetFilter {
  /** Only animals with this status. */
  status?: PetStatus;
  /** Only animals of these categories, 1 to 20. */
  categoryId?: readonly bigint[];
  /**
   * Only animals whose name has every word of this text (`searchWords`): 1 to 100 code points, 1 to 8 words, each with a letter
   * or a digit. A number also finds the animal with this id.
   */
  q?: string;
}

/** The query of `GET /v1/pets` (specification, section 4.1). */
export interface ListPetsQuery extends PetFilter {
  /** 1 to 100 animals; 20 when omitted. */
  limit?: number;
  /** `asc` when omitted. */
  order?: ListOrder;
  /** The cursor of a `Link` with `rel="next"`: opaque, and valid only for the filter and the order of that list. */
  after?: string;
  /** Only the animal with this id. Can be combined with `status`, but not with `after` or another filter. */
  id?: bigint;
}

type Values = { readonly [Name in keyof ListPetsQuery]: ListPetsQuery[Name] | undefined };

/** The maximum number of matches that the service counts: with `q`, and without. */
export const maxTotals = { search: 10_000, list: 1_000_000 } as const;

/** The maximum number of matches of a filter that the service counts. */
export function maxTotalOf({ q }: Pick<PetFilter, 'q'>): number {
  return q === undefined ? maxTotals.list : maxTotals.search;
}

/** The names of the parameters of `GET /v1/pets`. A new one does not compile until it is here. */
export const listParameters = Object.keys({
  limit: true,
  status: true,
  categoryId: true,
  q: true,
  order: true,
  after: true,
  id: true,
} satisfies Record<keyof ListPetsQuery, true>) as (keyof ListPetsQuery)[];

/** The query of a URL, without `?`: each parameter that is not `undefined`, percent-encoded. */
export function listQueryText(query: Values): string {
  const present = listParameters.filter((name) => query[name] !== undefined);
  return present.map((name) => `${name}=${encodeURIComponent(String(query[name]))}`).join('&');
}

/** From this day on, in UTC, getPet returns 410 (specification, section 4.3). */
export const getPetRemovalDate = '5 December 2030';

/** The `Idempotency-Key` header: 1 to 255 visible ASCII characters. It is scoped to the API key. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
/** How long the service recognizes an idempotency key after its create, in hours. */
export const idempotencyRetentionHours = 24;
