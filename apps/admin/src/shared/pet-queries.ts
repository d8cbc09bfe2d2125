import { type ListPetsOptions, type PetPage, walkPages } from '@petstore/client';
import type { Pet, PetStatus } from '@petstore/contracts';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './api.js';
import { type FilterSearch, toListFilter } from './filter-search.js';
import { cursorOf, type ListSearch, pageSizeOf } from './list-search.js';
import { queryClient } from './query-client.js';

/** One page of a list, with the total if `count` is set. */
export function readPetPage(query: ListPetsOptions, signal: AbortSignal): Promise<PetPage> {
  return callApi((client) => client.listPets(query, { signal }).page(), signal);
}

interface WalkOptions extends Omit<ListPetsOptions, 'limit' | 'after'> {
  signal: AbortSignal;
}

/** All pages, the first one with the total if `count` is set. When the service rejects the key, the walk continues after the next sign-in. */
export function walkPets({ signal, count, ...filter }: WalkOptions): AsyncGenerator<PetPage, void> {
  return walkPages((after) => {
    const query = { ...filter, limit: 100, after, count: count && after === undefined };
    return callApi((client) => client.listPets(query, { signal }).page().withResponse(), signal);
  }, filter);
}

/** Begins the keys of all queries about animals: a new animal makes them outdated. */
export const petsKey = ['pets'];
const listsKey = [...petsKey, 'list'];

/** One page of the list. */
export function petListQuery(search: ListSearch) {
  const { q, category, status, order = 'desc' as const } = search;
  const [limit, after] = [pageSizeOf(search), cursorOf(search)];
  return queryOptions({
    queryKey: [...listsKey, { q, category, status, order, limit, after }],
    queryFn: ({ signal }) => readPetPage({ ...toListFilter(search), order, limit, after }, signal),
  });
}

/** The number of animals with a status, or of all, that match the other filters. `null` if there are too many to count. */
export function petCountQuery(status: PetStatus | undefined, search: FilterSearch = {}) {
  const { q, category } = search;
  return queryOptions({
    queryKey: [...petsKey, 'count', { q, category, status }],
    queryFn: async ({ signal }): Promise<number | null> => {
      const page = await readPetPage({ ...toListFilter(search), status, limit: 1, count: true }, signal);
      return page.total ?? null;
    },
  });
}

/** One animal, `null` if it does not exist. Until the answer arrives, and without one, it is what a list has shown. */
export function petQuery(id: bigint) {
  return queryOptions({
    // A query key is serialized as JSON, which has no bigint.
    queryKey: [...petsKey, 'one', String(id)],
    queryFn: ({ signal }) => callApi(async (client) => (await client.getPet(id, { signal })) ?? null, signal),
    initialData: () => cachedPet(id)?.pet,
    initialDataUpdatedAt: () => cachedPet(id)?.updatedAt,
  });
}

/** Requests everything visible about animals again. */
export function refreshPets(): Promise<void> {
  return queryClient.refetchQueries({ queryKey: petsKey, type: 'active' });
}

/** An animal of the list that was updated last, and when. */
function cachedPet(id: bigint): { pet: Pet; updatedAt: number } | undefined {
  const lists = queryClient.getQueryCache().findAll({ queryKey: listsKey });
  const found = lists.flatMap(({ state: { data, dataUpdatedAt } }) => {
    const pet = (data as PetPage | undefined)?.pets.find((one) => one.id === id);
    return pet ? [{ pet, updatedAt: dataUpdatedAt }] : [];
  });
  return found.toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
}

/** Every cached or pending answer may be older than the new animals. */
export function cacheNewPets(pets: readonly Pet[]): void {
  // A visible list must stay in the cache, or its page would get no update.
  queryClient.removeQueries({ queryKey: listsKey, type: 'inactive' });
  // Invalidating does not restart the first request of a query.
  void queryClient.cancelQueries({ queryKey: petsKey });
  void queryClient.invalidateQueries({ queryKey: petsKey });
  for (const pet of pets) queryClient.setQueryData(petQuery(pet.id).queryKey, pet);
}
