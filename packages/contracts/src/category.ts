import type { PetStatus } from './pet.js';

/** A category: an item of `GET /categories.json`, with its number of animals of each status. */
export interface Category extends Record<PetStatus, bigint> {
  /** Any int64: the `categoryId` of animals. */
  id: bigint;
  /** `null` if the operator has not named it. */
  name: string | null;
}

/** The maximum number of categories without a name that `GET /categories.json` returns. */
export const maxUnnamedCategories = 1000;

/** A category that the operator has named in CATEGORIES_FILE. */
export interface NamedCategory {
  id: bigint;
  name: string;
}
