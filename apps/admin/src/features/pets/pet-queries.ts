import type { Pet, PetStatus } from '@petstore/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { PetPage } from '@petstore/client';
import { ask } from '../../shared/petstore.js';
import { type ListSearch, pageSizes } from './list-search.js';

const lists = ['pets', 'list'] as const;

/** One part of the list, newest first. */
export function petListQuery({ status, limit = pageSizes[0], after }: ListSearch) {
  return queryOptions({
    queryKey: [...lists, { status, limit, after }],
    queryFn: ({ signal }) =>
      ask((client) => client.listPets({ status, limit, after, order: 'desc' }, { signal }).page(), signal),
  });
}

/** How many animals there are, of a status or of all. */
export function petCountQuery(status: PetStatus | undefined) {
  return queryOptions({
    queryKey: ['pets', 'count', status ?? 'all'],
    queryFn: ({ signal }) =>
      ask(async (client) => {
        const { total } = await client.listPets({ status, limit: 1, count: true }, { signal }).page();
        return total ?? null;
      }, signal),
  });
}

/** One animal, `null` when none has the id. What a list has of it is shown until the answer is there. */
export function petQuery(id: bigint, queryClient: QueryClient) {
  return queryOptions({
    // Keys are made into JSON, which has no bigint.
    queryKey: ['pets', 'one', String(id)],
    queryFn: ({ signal }) => ask(async (client) => (await client.getPet(id, { signal })) ?? null, signal),
    placeholderData: () => findListed(id, queryClient),
  });
}

/** The highest number of all animals that were seen lately; 0 when none was. */
export function newestKnown(queryClient: QueryClient): bigint {
  const known = queryClient.getQueriesData<PetPage | Pet | number | null>({ queryKey: ['pets'] });
  const pets = known.flatMap(([, data]) =>
    typeof data === 'object' && data ? ('pets' in data ? data.pets : data) : [],
  );
  return pets.reduce((newest, { id }) => (id > newest ? id : newest), 0n);
}

/** After an animal was added, nothing that was read before is the whole truth, nor what is being read. */
export function rememberAdded(pet: Pet, queryClient: QueryClient): void {
  // Not a list on the screen, which would hold on to what is removed, and never hear of it again.
  queryClient.removeQueries({ queryKey: lists, type: 'inactive' });
  // A first reading is not begun anew by itself, and may have come too early for the animal.
  void queryClient.cancelQueries({ queryKey: ['pets'] });
  void queryClient.invalidateQueries({ queryKey: ['pets'] });
  queryClient.setQueryData(petQuery(pet.id, queryClient).queryKey, pet);
}

function findListed(id: bigint, queryClient: QueryClient): Pet | undefined {
  for (const [, page] of queryClient.getQueriesData<PetPage>({ queryKey: lists })) {
    const pet = page?.pets.find((listed) => listed.id === id);
    if (pet) return pet;
  }
  return undefined;
}
