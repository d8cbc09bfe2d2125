import type { PetstoreClient } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PetIndex } from '../src/shared/known-pets/pet-index.js';
import { PetWalk, type WalkState } from '../src/shared/known-pets/pet-walk.js';

/** A store in memory. It counts the requests. */
class FakeStore {
  readonly pets = new Map<bigint, Pet>();
  requests = 0;
  /** The next request fails. */
  isFailing = false;
  /** Called before each page. */
  onPage: () => void = () => undefined;

  add(...ids: bigint[]): void {
    for (const id of ids) this.pets.set(id, { id, name: `Animal ${id}`, categoryId: 7n, status: 'available' });
  }

  readonly client = {
    listPets: (query: { limit: number; after?: string; count?: boolean }) => ({
      page: () => Promise.resolve(this.page(query)),
      pages: () => this.pages(query),
    }),
    getPet: (id: bigint) => {
      this.requests += 1;
      return Promise.resolve(this.pets.get(id));
    },
  } as unknown as PetstoreClient;

  private async *pages(query: { limit: number; after?: string; count?: boolean }) {
    let after = query.after;
    do {
      const page = this.page({ ...query, ...(after !== undefined && { after }) });
      yield page;
      after = page.next;
    } while (after !== undefined);
  }

  private page({ limit, after, count }: { limit: number; after?: string; count?: boolean }) {
    this.requests += 1;
    this.onPage();
    if (this.isFailing) throw new Error('failed');
    const all = [...this.pets.values()].toSorted((a, b) => (a.id > b.id ? -1 : 1));
    const left = after === undefined ? all : all.filter(({ id }) => id < BigInt(after));
    const pets = left.slice(0, limit);
    return {
      pets,
      next: left.length > limit ? String(pets.at(-1)?.id) : undefined,
      total: count ? all.length : undefined,
    };
  }
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => BigInt(first + at));

let store: FakeStore;
let index: PetIndex;
let walk: PetWalk;
beforeEach(() => {
  store = new FakeStore();
  start();
});

function start(limit?: number): void {
  index = new PetIndex(limit);
  walk = new PetWalk(index);
}

/** As a later visit, with what the device has kept. */
function restart(pets: Iterable<Pet>, state: WalkState | undefined, limit?: number): void {
  if (!state) throw new Error('The walk was not finished.');
  start(limit);
  index.add([...pets]);
  walk.restore(state);
}

const update = () => walk.update(store.client, () => undefined);

describe('the first walk', () => {
  it('reads all animals', async () => {
    store.add(...range(1, 250));
    await update();
    expect([index.size, walk.total]).toEqual([250, 250]);
  });

  it('continues after an error where it stopped, and is not finished before', async () => {
    store.add(...range(1, 1000));
    let pages = 0;
    store.onPage = () => {
      pages += 1;
      store.isFailing = pages === 6;
    };
    await expect(update()).rejects.toThrow('failed');
    expect([index.size, walk.state]).toEqual([400, undefined]);
    store.onPage = () => undefined;
    store.isFailing = false;
    await update();
    expect([index.size, walk.state]).toEqual([1000, expect.anything()]);
  });
});

describe('an update', () => {
  it('needs one request if nothing is missing', async () => {
    store.add(...range(1, 5000));
    await update();
    store.add(5001n);
    store.requests = 0;
    await update();
    expect([index.size, store.requests]).toEqual([5001, 1]);
  });

  it('finds an animal that was committed late, within a thousand numbers', async () => {
    store.add(...range(1, 3000).filter((id) => id !== 2100n));
    await update();
    store.add(2100n);
    await update();
    expect(index.get(2100n)).toBeDefined();
  });

  it('finds an animal that was committed late, within a minute', async () => {
    vi.useFakeTimers();
    store.add(...range(1, 3000).filter((id) => id !== 2900n));
    await update();
    store.add(...range(3001, 6000));
    vi.advanceTimersByTime(30_000);
    await update();
    store.add(2900n);
    await update();
    vi.useRealTimers();
    expect(index.get(2900n)).toBeDefined();
  });

  it('reads everything again when the number of animals differs twice', async () => {
    store.add(...range(1, 3000).filter((id) => id !== 5n));
    await update();
    store.add(5n);
    await update();
    expect([index.get(5n)?.name, index.size]).toEqual(['Animal 5', 3000]);
  });

  it('reads nothing again for animals that are added meanwhile', async () => {
    store.add(...range(1, 3000));
    await update();
    const onReset = vi.fn<() => void>();
    walk = new PetWalk(index, onReset);
    walk.restore({ marks: [{ at: Date.now(), highestId: 3000n }], isLimitReached: false });
    let last = 3000n;
    store.onPage = () => store.add((last += 1n));
    await update();
    expect(onReset).not.toHaveBeenCalled();
  });
});

describe('a later visit', () => {
  it('needs two requests', async () => {
    store.add(...range(1, 5000));
    await update();
    restart(store.pets.values(), walk.state);
    store.add(5001n);
    store.requests = 0;
    await update();
    expect([index.size, store.requests]).toEqual([5001, 2]);
  });

  it('reads nothing again of a store with more animals than the device keeps', async () => {
    start(2000);
    store.add(...range(1, 2500));
    await update();
    const kept = range(501, 2500)
      .map((id) => index.get(id))
      .filter((pet) => pet !== undefined);
    restart(kept, walk.state, 2000);
    store.requests = 0;
    await update();
    expect([kept.length, index.size, index.isLimitReached, store.requests]).toEqual([2000, 2000, true, 2]);
  });

  it.each([
    ['does not have the newest known animal', (pets: Map<bigint, Pet>) => void pets.delete(300n)],
    [
      'has another animal with its number',
      (pets: Map<bigint, Pet>) => void pets.set(300n, { id: 300n, name: 'Other', categoryId: 7n, status: 'sold' }),
    ],
  ])('reads everything again if the store %s', async (_reason, change) => {
    store.add(...range(1, 300));
    await update();
    const kept = [...store.pets.values()];
    change(store.pets);
    store.pets.delete(1n);
    restart(kept, walk.state);
    await update();
    expect([...range(1, 300)].map((id) => index.get(id))).toEqual([...range(1, 300)].map((id) => store.pets.get(id)));
  });

  it('keeps the overlap with the visit before', async () => {
    store.add(...range(1, 3000).filter((id) => id !== 2500n));
    await update();
    restart(store.pets.values(), walk.state);
    store.add(2500n, 3001n);
    await update();
    expect(index.get(2500n)).toBeDefined();
  });
});
