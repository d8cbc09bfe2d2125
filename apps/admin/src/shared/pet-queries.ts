import type { ListPetsOptions, PetPage } from '@petstore/client';
import type { Pet, PetStatus } from '@petstore/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from './api.js';
import { toListFilter } from './filter-search.js';
import { cursorOf, type ListSearch, pageSizeOf } from './list-search.js';

/** One page of a list, with the total if `count` is set. */
function readPetPage(query: ListPetsOptions, signal: AbortSignal): Promise<PetPage> {
  return callApi((client) => client.listPets(query, { signal }).page(), signal);
}

interface WalkOptions extends Omit<ListPetsOptions, 'limit'> {
  signal: AbortSignal;
}

/** All pages, the first one with the total if `count` is set. When the service rejects the key, the walk continues after the next sign-in. */
export async function* walkPets({ signal, ...options }: WalkOptions): AsyncGenerator<PetPage, void> {
  let page = await readPetPage({ ...options, limit: 100 }, signal);
  yield page;
  while (page.next !== undefined) {
    page = await readPetPage({ ...options, limit: 100, after: page.next, count: false }, signal);
    yield page;
  }
}

const petsKey = ['pets'];
const listsKey = ['pets', 'list'];

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
export function petCountQuery(status: PetStatus | undefined, { q, category }: ListSearch = {}) {
  return queryOptions({
    queryKey: [...petsKey, 'count', { q, category, status }],
    queryFn: async ({ signal }): Promise<number | null> => {
      const filter = { ...toListFilter({ ...(q && { q }), ...(category && { category }) }), status };
      return (await readPetPage({ ...filter, limit: 1, count: true }, signal)).total ?? null;
    },
  });
}

/** One animal, `null` if it does not exist. Until the answer arrives, and without one, it is what a list has shown. */
export function petQuery(id: bigint, queryClient: QueryClient) {
  return queryOptions({
    // A query key is serialized as JSON, which has no bigint.
    queryKey: [...petsKey, 'one', String(id)],
    queryFn: ({ signal }) => callApi(async (client) => (await client.getPet(id, { signal })) ?? null, signal),
    initialData: () => cachedPet(id, queryClient)?.pet,
    initialDataUpdatedAt: () => cachedPet(id, queryClient)?.updatedAt,
  });
}

/** Requests everything visible about animals again. */
export function refreshPets(queryClient: QueryClient): Promise<void> {
  return queryClient.refetchQueries({ queryKey: petsKey, type: 'active' });
}

/** An animal of the list that was updated last, and when. */
function cachedPet(id: bigint, queryClient: QueryClient): { pet: Pet; updatedAt: number } | undefined {
  const lists = cachedLists(queryClient).toSorted((a, b) => b.updatedAt - a.updatedAt);
  for (const { pets, updatedAt } of lists) {
    const pet = pets.find((one) => one.id === id);
    if (pet) return { pet, updatedAt };
  }
  return undefined;
}

function cachedLists(queryClient: QueryClient): { pets: readonly Pet[]; updatedAt: number }[] {
  const queries = queryClient.getQueryCache().findAll({ queryKey: petsKey });
  return queries.map(({ state: { data, dataUpdatedAt } }) => ({
    pets: petsOf(data as PetPage | Pet | number | null | undefined),
    updatedAt: dataUpdatedAt,
  }));
}

function petsOf(data: PetPage | Pet | number | null | undefined): readonly Pet[] {
  if (typeof data !== 'object' || !data) return [];
  return 'pets' in data ? data.pets : [data];
}

/** Every cached or pending answer may be older than the new animals. */
export function cacheNewPets(pets: readonly Pet[], queryClient: QueryClient): void {
  // A visible list must stay in the cache, or its page would get no update.
  queryClient.removeQueries({ queryKey: listsKey, type: 'inactive' });
  // Invalidating does not restart the first request of a query.
  void queryClient.cancelQueries({ queryKey: petsKey });
  void queryClient.invalidateQueries({ queryKey: petsKey });
  for (const pet of pets) queryClient.setQueryData(petQuery(pet.id, queryClient).queryKey, pet);
}
