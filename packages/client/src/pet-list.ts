import type { ListPetsQuery, Pet } from '@petstore/contracts';
import { type ApiPromise, toApiPromise } from './api-promise.js';

/** The query of the API, without what only `getPet` uses. `undefined` is the same as an omitted option. */
type ListQuery = { [Name in keyof Omit<ListPetsQuery, 'id'>]?: ListPetsQuery[Name] | undefined };

/** Filter, order and page of a list. */
export interface ListPetsOptions extends Omit<ListQuery, 'categoryId'> {
  /** Only animals of this category, or of one of these, 1 to 20. */
  categoryId?: bigint | readonly bigint[] | undefined;
  /** Adds the `total` to each page, which costs the service a count. */
  count?: boolean | undefined;
}

// A new option does not compile until it is here.
export const listOptionNames: Record<keyof ListPetsOptions, true> = {
  status: true,
  categoryId: true,
  q: true,
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
  /**
   * The number of animals in the whole list. `undefined` without `count: true`, and for more than 1,000,000 animals, or 10,000
   * in a search (`q`).
   */
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
  /** Counts the animals in the whole list. `undefined`: more than 1,000,000, or 10,000 in a search (`q`). */
  count(): ApiPromise<number | undefined>;
}

/** Reads a page of the list. The options replace those of the list. */
type ReadPage = (options: Pick<ListPetsOptions, 'after' | 'limit' | 'count'>) => ApiPromise<PetPage>;

/** A list whose pages `read` fetches by cursor. */
export class PagedPets implements PetList {
  constructor(
    private readonly read: ReadPage,
    private readonly first: string | undefined,
  ) {}

  page(): ApiPromise<PetPage> {
    return this.read({ after: this.first });
  }

  count(): ApiPromise<number | undefined> {
    const count = async () => {
      const page = await this.read({ after: undefined, limit: 1, count: true }).withResponse();
      return { ...page, data: page.data.total };
    };
    return toApiPromise(count());
  }

  async *pages(): AsyncGenerator<PetPage, void, undefined> {
    let page = await this.page();
    yield page;
    while (page.next !== undefined) {
      page = await this.read({ after: page.next });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Pet, void, undefined> {
    for await (const { pets } of this.pages()) yield* pets;
  }
}
