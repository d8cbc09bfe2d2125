import type { ListOrder, PetStatus } from '@petstore/contracts';
import { Batches } from '../../platform/batching/batches.js';
import { isRefusal } from '../../platform/database/database-error.js';
import { databaseTimeoutMs } from '../../platform/errors/timeout.js';
import { encodeCursor, type Walk } from './pet-cursor.js';
import type { AskedAddition, AskedPage, AskedPet, PageOfPets, PetsRepository } from './pets.repository.js';

/** A page of a list. */
export interface PetPage {
  /** The animals as the text of a JSON array. */
  json: string;
  /** The cursor of the next page, when there is one. */
  next?: string;
}

/**
 * Two, so that PostgreSQL has work while this process handles results; more would only make batches smaller. Half of
 * the 64 that a busy round of the event loop brings, so that PostgreSQL begins while the others are still read: 4 %
 * more gets and 5 % more pages than in batches of 64.
 */
const bounds = { concurrency: 2, size: 32, waiting: 1000, patienceMs: databaseTimeoutMs, hadNoEffect: isRefusal };

/** Lets requests that wait for the database go there together. */
export class PetBatches {
  private readonly pages: Record<ListOrder, Record<'all' | 'filtered', Batches<AskedPage, PetPage>>>;
  private readonly finds: Batches<AskedPet, string | null>;
  private readonly counts: Batches<PetStatus | undefined, number>;
  private readonly additions: Batches<AskedAddition, bigint | null>;

  constructor(private readonly pets: PetsRepository) {
    const inOrder = (order: ListOrder) => ({ all: this.pagesOf(order, false), filtered: this.pagesOf(order, true) });
    this.pages = { asc: inOrder('asc'), desc: inOrder('desc') };
    this.finds = new Batches<AskedPet, string | null>({
      ...bounds,
      run: (asked) => pets.find(asked),
      keyOf: ({ id, status = '' }) => `${status} ${id}`,
    });
    this.counts = new Batches<PetStatus | undefined, number>({
      ...bounds,
      run: async (asked) => countsOf(asked, await pets.counts()),
      keyOf: String,
    });
    this.additions = new Batches({ ...bounds, run: (asked) => pets.add(asked) });
  }

  page(order: ListOrder, asked: AskedPage): Promise<PetPage> {
    return this.pages[order][asked.status === undefined ? 'all' : 'filtered'].submit(asked);
  }

  /** As JSON text; `null` when there is no such animal. */
  find(asked: AskedPet): Promise<string | null> {
    return this.finds.submit(asked);
  }

  /** Of a status, or of all. */
  count(status: PetStatus | undefined): Promise<number> {
    return this.counts.submit(status);
  }

  add(asked: AskedAddition): Promise<bigint | null> {
    return this.additions.submit(asked);
  }

  private pagesOf(order: ListOrder, isFiltered: boolean): Batches<AskedPage, PetPage> {
    return new Batches<AskedPage, PetPage>({
      ...bounds,
      run: async (asked) => {
        const pages = await this.pets.pages({ order, isFiltered }, asked);
        return pages.map((page, index) => toPetPage(page, { order, status: asked[index]?.status }));
      },
      keyOf: ({ status, afterId, size: pageSize }) => `${status ?? ''} ${afterId ?? ''} ${pageSize}`,
    });
  }
}

function toPetPage({ json, lastId }: PageOfPets, walk: Walk): PetPage {
  return { json, ...(lastId !== undefined && { next: encodeCursor(walk, lastId) }) };
}

function countsOf(asked: readonly (PetStatus | undefined)[], counts: ReadonlyMap<PetStatus, number>): number[] {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return asked.map((status) => (status === undefined ? all : (counts.get(status) ?? 0)));
}
