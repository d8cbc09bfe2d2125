import type { PetPage } from '@petstore/client';
import type { Pet, PetStatus } from '@petstore/contracts';
import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../shared/api.js';
import { isFound, toPetFilter } from '../../shared/filter-search.js';
import { findPets } from '../../shared/known-pets/known-pets.js';
import { noteUpdate } from '../../shared/known-pets/visits.js';
import { cursorOf, type ListSearch, pageSizeOf } from './list-search.js';

const petsKey = ['pets'];
/** Marks what is found among the animals that this device knows. */
const foundKey = 'found';
const listsKey = ['pets', 'list'];

/** One page of the list, or of the animals that this device knows. */
export function petListQuery(search: ListSearch) {
  const { status, order = 'desc' as const } = search;
  const query = { status, limit: pageSizeOf(search), after: cursorOf(search), order };
  return queryOptions({
    queryKey: isFound(search) ? [...listsKey, foundKey, search] : [...listsKey, query],
    queryFn: async ({ signal }): Promise<PetPage> => {
      if (isFound(search)) return findPage(search);
      const page = await callApi((client) => client.listPets(query, { signal }).page(), signal);
      const isNewestFirst = status === undefined && order === 'desc' && query.after === undefined;
      if (isNewestFirst) noteUpdate(page.pets[0]?.id ?? 0n, Date.now());
      return page;
    },
  });
}

async function findPage(search: ListSearch): Promise<PetPage> {
  const { order = 'desc', page = 1 } = search;
  const limit = pageSizeOf(search);
  const skip = (page - 1) * limit;
  const { pets, count } = await findPets(toPetFilter(search), { skip, limit, order });
  return { pets, next: skip + limit < count ? String(page + 1) : undefined, total: count };
}

/**
 * Call it when this device knows other animals. Invalidating does not restart the first request of a query, which may have
 * looked at fewer animals.
 */
export function invalidateFound(queryClient: QueryClient, { restarts }: { restarts: boolean }): void {
  const found = { predicate: ({ queryKey }: Query) => queryKey.includes(foundKey) };
  if (restarts) void queryClient.cancelQueries(found);
  void queryClient.invalidateQueries(found);
}

/** The number of animals with a status, or of all animals. With the words and categories of a search, of those. */
export function petCountQuery(status: PetStatus | undefined, search: ListSearch = {}) {
  const { q = '', category = [], since = '' } = search;
  const name = status ?? 'all';
  return queryOptions({
    queryKey: isFound(search)
      ? [...petsKey, 'count', name, foundKey, q, since, ...category]
      : [...petsKey, 'count', name],
    queryFn: async ({ signal }): Promise<number | null> => {
      if (isFound(search)) return (await findPets({ ...toPetFilter(search), status }, { limit: 0 })).count;
      const query = { status, limit: 1, count: true };
      const { total } = await callApi((client) => client.listPets(query, { signal }).page(), signal);
      return total ?? null;
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
export function refreshPets(queryClient: QueryClient): void {
  void queryClient.refetchQueries({ queryKey: petsKey, type: 'active' });
}

/** The highest cached animal number, or 0. */
export function highestCachedId(queryClient: QueryClient): bigint {
  return cachedPets(queryClient).reduce((highest, { id }) => (id > highest ? id : highest), 0n);
}

/** The animals of all cached lists and pages. One may be there several times. */
export function cachedPets(queryClient: QueryClient): Pet[] {
  return cachedLists(queryClient).flatMap(({ pets }) => pets);
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
