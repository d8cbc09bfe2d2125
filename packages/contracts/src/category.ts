/** A category with a name: an item of `GET /categories.json`. */
export interface Category {
  /** Any int64: the `categoryId` of animals. */
  id: bigint;
  name: string;
}
