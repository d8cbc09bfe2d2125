import type { Pet } from '@petstore/contracts';
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../shared/api.js';
import { findPets, updateKnownPets, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { parseTypedPetId } from '../../shared/pet-id.js';

/** They fit on the screen: the list does not scroll. */
const maxResults = 6;

/** A page or an action. */
export interface FindCommand {
  label: string;
  /** Its shortcut. */
  key?: string;
  run: () => void;
}

/** All without a text, else those with words that begin with its words. One letter would find too many. */
export function findCommands(text: string, commands: readonly FindCommand[]): readonly FindCommand[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return commands;
  if (typed.length < 2) return [];
  const words = typed.split(/\s+/);
  return commands.filter(({ label }) => words.every((word) => ` ${label.toLowerCase()}`.includes(` ${word}`)));
}

/** Gets the animal with the number that the text contains. `null` if no animal has it. */
function petByNumberQuery(text: string) {
  const id = parseTypedPetId(text);
  return queryOptions({
    queryKey: ['find', 'number', String(id)],
    queryFn: ({ signal }) =>
      id === undefined ? null : callApi(async (client) => (await client.getPet(id, { signal })) ?? null, signal),
    enabled: id !== undefined,
  });
}

export interface Found {
  pets: readonly Pet[];
  /** The number of all animals that match. */
  count: number;
  /** Whether the number may still be found. */
  isLoading: boolean;
}

/** The animal with this number, then those with this name. Looks again while more animals become known. */
export function useFoundPets(text: string): Found {
  const { searched, updatedAt, namedCategories } = useKnownPets();
  const byNumber = useQuery(petByNumberQuery(text));
  const byName = useQuery({
    queryKey: ['find', 'name', text, searched, updatedAt, namedCategories],
    queryFn: () => findPets({ text }, { limit: maxResults }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const numbered = byNumber.data ?? undefined;
  const { pets: matches = [], count = 0 } = (text && byName.data) || {};
  const named = matches.filter(({ id }) => id !== numbered?.id);
  const others = count - matches.length;
  const pets = numbered ? [numbered, ...named] : named;
  return { pets, count: pets.length + others, isLoading: byNumber.isLoading };
}

/** The number of the animal that Enter opens, or `undefined` if none was found. */
export async function findBestMatch(text: string, queryClient: QueryClient): Promise<bigint | undefined> {
  const id = parseTypedPetId(text);
  if (id !== undefined) {
    // The page of the animal explains an error.
    const pet = await queryClient.query(petByNumberQuery(text)).catch(() => ({ id }));
    if (pet) return pet.id;
  }
  const known = await findPets({ text }, { limit: 1 });
  if (known.pets[0]) return known.pets[0].id;
  // It may be on a page that the walk has not reached.
  await updateKnownPets();
  const best = await findPets({ text }, { limit: 1 });
  return best.pets[0]?.id;
}
