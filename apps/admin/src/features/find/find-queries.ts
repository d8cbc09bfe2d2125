import { queryOptions } from '@tanstack/react-query';
import { type FilterSearch, searchText } from '../../shared/filter-search.js';
import { parseLabelAddress, parseTypedPetId } from '../../shared/pet-id.js';
import { petQuery, petsKey, readPetPage } from '../../shared/pet-queries.js';
import { queryClient } from '../../shared/query-client.js';
import type { CategoryNames } from '../../shared/store-info.js';
import { type FindCommand, findCommands, findFilters } from './find-filters.js';

/*
 * The rules of the search field. Options are listed in the order of this table. Enter opens the option that the arrow keys
 * have selected. Without one, it does what the first matching row says. Shift+Enter always lists all results.
 *
 * | The text                                     | The list has                       | Enter                          |
 * | -------------------------------------------- | ---------------------------------- | ------------------------------ |
 * | is empty                                     | all pages and actions              | ends the search of the list    |
 * | is the address of an animal's page           | the animal                         | opens it, also unseen          |
 * | is the number of an animal                   | the animal, before those by name   | opens it                       |
 * | has words of the name of one animal          | the animal                         | opens it                       |
 * | has words of the names of several animals    | the newest 8, "Show all results"   | lists all results              |
 * | has words that name a category or a status   | that filter, before the animals    | opens the first filter         |
 * | has words of a page or an action             | it, after the animals              | opens the first one            |
 * | finds nothing, or the search fails           | why, after an error "Try again"    | lists all results              |
 * | has no letter and no digit                   | what to type                       | changes nothing                |
 */

/** They fit on the screen: the list does not scroll. */
const maxPets = 8;

/** What an option or Enter opens. */
export type Choice = { petId: bigint } | { search: FilterSearch } | { command: FindCommand };

/** The animal with this number, then the newest ones with words of the text in their names. */
export function findQuery(text: string) {
  const id = parseTypedPetId(text);
  const q = searchText(text);
  return queryOptions({
    queryKey: [...petsKey, 'find', text],
    queryFn: async ({ signal }) => {
      const filter = { q, order: 'desc', limit: maxPets } as const;
      const [numbered, byName] = await Promise.all([
        id === undefined ? null : queryClient.query(petQuery(id)),
        q === '' ? undefined : readPetPage(filter, signal),
      ]);
      const others = byName?.pets.filter((pet) => pet.id !== id) ?? [];
      const pets = numbered ? [numbered, ...others] : others;
      return { numbered, pets: pets.slice(0, maxPets), hasMore: byName?.next !== undefined };
    },
    enabled: text !== '',
  });
}

/** What Enter opens, by the table above. `undefined`: all results. */
export async function findMeant(
  text: string,
  names: CategoryNames,
  commands: readonly FindCommand[],
): Promise<Choice | undefined> {
  const label = parseLabelAddress(text);
  if (label !== undefined) return { petId: label };
  const found = await queryClient.query(findQuery(text)).catch(() => undefined);
  const id = parseTypedPetId(text);
  // The page of the animal explains an error.
  if (id !== undefined && (!found || found.numbered)) return { petId: id };
  const [pet, another] = found?.pets ?? [];
  if (pet) return another ? undefined : { petId: pet.id };
  const [search] = findFilters(text, names);
  const [command] = findCommands(text, commands);
  return search ? { search } : command && { command };
}
