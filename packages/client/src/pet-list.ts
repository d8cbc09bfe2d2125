import type { ListOrder, Pet, PetStatus } from '@petstore/contracts';

/** Which animals, and how. */
export interface ListPetsOptions {
  /** Only animals with this status. */
  status?: PetStatus | undefined;
  /** Animals a page: 1 to 100; 20 when omitted. */
  limit?: number | undefined;
  /** By id: `asc` is oldest first, `desc` newest first; `asc` when omitted. */
  order?: ListOrder | undefined;
  /** Begins at the page that the `next` of another page stands for; good only with the status and order of that page. */
  after?: string | undefined;
  /** Has each page tell the `total`; costs the service a count. */
  count?: boolean | undefined;
}

/** Some of the animals of a list. */
export interface PetPage {
  pets: Pet[];
  /** The cursor of the page that follows, to be given as `after`; `undefined` on the last page. */
  next: string | undefined;
  /** How many animals the whole list has; `undefined` unless asked for by `count: true`. */
  total: number | undefined;
}

/**
 * Animals, read page by page as they are asked for. One walk gives every animal that was there when it began, once;
 * each further walk over the same list begins anew.
 */
export interface PetList extends AsyncIterable<Pet> {
  /** One page after the other, until the last. */
  pages(): AsyncIterable<PetPage>;
  /** The first of the pages alone, in one request: the one at `after` when that is given. */
  page(): Promise<PetPage>;
}

/** A list of which `read` gives the page at a cursor. */
export class PagedPets implements PetList {
  constructor(
    private readonly read: (after: string | undefined) => Promise<PetPage>,
    private readonly first: string | undefined,
  ) {}

  page(): Promise<PetPage> {
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
