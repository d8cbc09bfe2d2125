import type { ListOrder, Pet, PetStatus } from '@petstore/contracts';
import type { ApiPromise } from './api-promise.js';

/** Filter, order and page of a list. */
export interface ListPetsOptions {
  /** Only animals with this status. */
  status?: PetStatus | undefined;
  /** Maximum number of animals per page, 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** Order by id: `asc` is oldest first, `desc` newest first. Default: `asc`. */
  order?: ListOrder | undefined;
  /** The cursor of a page: the `next` of another page of the same status and order. */
  after?: string | undefined;
  /** Adds the `total` to each page, which costs the service a count. */
  count?: boolean | undefined;
}

// A new option does not compile until it is here.
export const listOptionNames: Record<keyof ListPetsOptions, true> = {
  status: true,
  limit: true,
  order: true,
  after: true,
  count: true,
};

/** One page of a list. */
export interface PetPage {
  pets: Pet[];
  /** The cursor of the next page, for `after`. `undefined` on the last page. */
  next: string | undefined;
  /** The number of animals in the whole list. `undefined` without `count: true`. */
  total: number | undefined;
}

/**
 * A list that is read page by page while you iterate. An iteration returns every animal that existed at its start exactly
 * once. Each new iteration starts again at the first page.
 */
export interface PetList extends AsyncIterable<Pet> {
  /** Iterates over the pages. */
  pages(): AsyncIterable<PetPage>;
  /** Reads one page: the page at `after`, or the first one. */
  page(): ApiPromise<PetPage>;
}

/** A list whose pages `read` fetches by cursor. */
export class PagedPets implements PetList {
  constructor(
    private readonly read: (after: string | undefined) => ApiPromise<PetPage>,
    private readonly first: string | undefined,
  ) {}

  page(): ApiPromise<PetPage> {
    return this.read(this.first);
  }

  async *pages(): AsyncGenerator<PetPage, void, undefined> {
    let page = await this.page();
    yield page;
    while (page.next !== undefined) {
      page = await this.read(page.next);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Pet, void, undefined> {
    for await (const { pets } of this.pages()) yield* pets;
  }
}
