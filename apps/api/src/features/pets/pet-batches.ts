import type { ListOrder, Pet } from '@petstore/contracts';
import { Batches } from '../../platform/batching/batches.js';
import { isRefusal } from '../../platform/database/database-error.js';
import { patienceMs } from '../../platform/database/patience.js';
import type { AskedPage, AskedPet, PageOfPets, PetsRepository } from './pets.repository.js';

/** Two, so that PostgreSQL has work while this process handles results; more would only make batches smaller. */
const bounds = { concurrency: 2, size: 64, waiting: 1000, patienceMs, hadNoEffect: isRefusal };

/** Lets requests that wait for the database go there together. */
export class PetBatches {
  private readonly pages: Record<ListOrder, Record<'all' | 'filtered', Batches<AskedPage, PageOfPets>>>;
  private readonly finds: Batches<bigint, Pet | undefined>;
  private readonly additions: Batches<AskedPet, bigint | null>;

  constructor(private readonly pets: PetsRepository) {
    const inOrder = (order: ListOrder) => ({ all: this.pagesOf(order, false), filtered: this.pagesOf(order, true) });
    this.pages = { asc: inOrder('asc'), desc: inOrder('desc') };
    this.finds = new Batches<bigint, Pet | undefined>({ ...bounds, run: (ids) => pets.find(ids), keyOf: String });
    this.additions = new Batches({ ...bounds, run: (asked) => pets.add(asked) });
  }

  page(order: ListOrder, asked: AskedPage): Promise<PageOfPets> {
    return this.pages[order][asked.status === undefined ? 'all' : 'filtered'].submit(asked);
  }

  find(id: bigint): Promise<Pet | undefined> {
    return this.finds.submit(id);
  }

  add(asked: AskedPet): Promise<bigint | null> {
    return this.additions.submit(asked);
  }

  private pagesOf(order: ListOrder, isFiltered: boolean): Batches<AskedPage, PageOfPets> {
    return new Batches({
      ...bounds,
      run: (asked) => this.pets.pages({ order, isFiltered }, asked),
      keyOf: ({ status, afterId, size: pageSize }) => `${status ?? ''} ${afterId ?? ''} ${pageSize}`,
    });
  }
}
