import type { ListPetsQuery, Pet } from '@petstore/contracts';
import { type ApiPromise, type ApiResponse, toApiPromise } from './api-promise.js';
import { PetstoreApiError } from './errors.js';

/** The query of the API, without what only `getPet` uses. `undefined` is the same as an omitted option. */
type ListQuery = { [Name in keyof Omit<ListPetsQuery, 'id'>]?: ListPetsQuery[Name] | undefined };

/** Filter, order and page of a list. */
export interface ListPetsOptions extends Omit<ListQuery, 'categoryId'> {
  /** Only animals of this category, or of one of these, 1 to 20. A `number` must be a safe integer. */
  categoryId?: bigint | number | readonly (bigint | number)[] | undefined;
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

type WalkQuery = Pick<ListPetsOptions, 'after' | 'order'>;

/**
 * Reads page after page, to the last one. In a list of the service, each animal is beyond the one before, so that a `next` which
 * leads back, also over several pages, is found at once: the walk would never end.
 * @throws PetstoreApiError `unexpected_response` for such a page.
 */
export async function* walkPages(
  read: (after: string | undefined) => Promise<ApiResponse<PetPage>>,
  { after, order }: WalkQuery,
): AsyncGenerator<PetPage, void, undefined> {
  let last: bigint | undefined;
  let next = after;
  do {
    const response = await read(next);
    const page = response.data;
    for (const { id } of page.pets) {
      if (last !== undefined && (order === 'desc' ? id >= last : id <= last)) throw endless(response);
      last = id;
    }
    ({ next } = page);
    if (next !== undefined && page.pets.length === 0) throw endless(response);
    yield page;
  } while (next !== undefined);
}

function endless({ status, requestId }: ApiResponse<PetPage>): PetstoreApiError {
  const message = 'The list does not advance, so it may never end. A proxy may repeat a page.';
  const details = { status, requestId, retryAfter: undefined, cause: undefined };
  return new PetstoreApiError({ code: 'unexpected_response', message, ...details });
}

/**
 * A list that is read page by page while you iterate. An iteration returns every animal that existed at its start exactly
 * once. Each new iteration starts again at the first page. `await` reads one page, as `page()` does.
 */
export class PetList implements AsyncIterable<Pet>, PromiseLike<PetPage> {
  /** @param read reads a page; its options replace those of the list */
  constructor(
    private readonly read: (options: Pick<ListPetsOptions, 'after' | 'limit' | 'count'>) => ApiPromise<PetPage>,
    private readonly query: WalkQuery,
  ) {}

  /** Reads one page: the page at `after`, or the first one. */
  page(): ApiPromise<PetPage> {
    return this.read({ after: this.query.after });
  }

  /** Makes `await` return a page: without it, `await` would return the list itself, which has no animals. */
  // oxlint-disable-next-line unicorn/no-thenable -- `await` is the habit of users of other clients.
  then<Result = PetPage, Failure = never>(
    onFulfilled?: ((page: PetPage) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.page().then(onFulfilled, onRejected);
  }

  /** Counts the animals in the whole list. `undefined`: more than 1,000,000, or 10,000 in a search (`q`). */
  count(): ApiPromise<number | undefined> {
    return toApiPromise(async () => {
      const page = await this.read({ after: undefined, limit: 1, count: true }).withResponse();
      return { ...page, data: page.data.total };
    });
  }

  /** Iterates over the pages. */
  pages(): AsyncGenerator<PetPage, void, undefined> {
    return walkPages((after) => this.read({ after }).withResponse(), this.query);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Pet, void, undefined> {
    for await (const { pets } of this.pages()) yield* pets;
  }
}
