import { foldName, type Pet } from '@petstore/contracts';
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../shared/api.js';
import { searchText } from '../../shared/filter-search.js';
import { parseTypedPetId } from '../../shared/pet-id.js';
import type { CategoryNames } from '../../shared/store-info.js';

/** They fit on the screen: the list does not scroll. */
const maxResults = 8;
const maxCategories = 3;
/** Without a text. The pages and actions follow them. */
const newestResults = 4;

/** The id of the list below the field. */
export const listId = 'found';

/** A page or an action. */
export interface FindCommand {
  label: string;
  /** Its shortcut. */
  key?: string;
  run: () => void;
}

/** All without a text, else those with words that begin with its words. One letter would find too many. */
export function findCommands(text: string, commands: readonly FindCommand[]): readonly FindCommand[] {
  const typed = text.trim();
  if (typed === '') return commands;
  return typed.length < 2 ? [] : commands.filter(({ label }) => hasBeginnings(label, typed));
}

/** The command that Enter runs: the one that the text names, or the only one with its words. */
export function meantCommand(text: string, commands: readonly FindCommand[]): FindCommand | undefined {
  const found = findCommands(text, commands);
  return (
    found.find(({ label }) => label.toLowerCase() === text.trim().toLowerCase()) ?? (found[1] ? undefined : found[0])
  );
}

/** The first categories whose names have words that begin with those of the text. */
export function findCategories(text: string, names: CategoryNames): { id: bigint; name: string }[] {
  if (text === '') return [];
  const found = [...names].filter(([, name]) => hasBeginnings(name, text));
  return found.slice(0, maxCategories).map(([id, name]) => ({ id, name }));
}

function hasBeginnings(label: string, text: string): boolean {
  const folded = ` ${foldName(label)}`;
  return foldName(text)
    .split(/\s+/)
    .every((word) => folded.includes(` ${word}`));
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

/** Whether a text is empty, which finds all animals, or has a word to search for. */
export function canSearch(text: string): boolean {
  return text === '' || searchText(text) !== '';
}

/** The newest animals with the words of the text, or of all. */
function petsByNameQuery(text: string, limit: number) {
  const q = searchText(text);
  const filter = { ...(q && { q }), order: 'desc', limit } as const;
  return queryOptions({
    queryKey: ['find', 'name', q, limit],
    queryFn: ({ signal }) => callApi((client) => client.listPets(filter, { signal }).page(), signal),
    enabled: canSearch(text),
  });
}

export interface Found {
  pets: readonly Pet[];
  /** Whether more animals match. */
  hasMore: boolean;
  /** Whether these are the results for the text. */
  isSettled: boolean;
  /** Whether the list of all results has any. */
  hasList: boolean;
  error: Error | null;
  retry: () => void;
}

/** The animal with this number, then the newest ones with this name. Without a text, the newest ones. */
export function useFoundPets(text: string): Found {
  const byNumber = useQuery(petByNumberQuery(text));
  const byName = useQuery({
    ...petsByNameQuery(text, text === '' ? newestResults : maxResults),
    ...(text !== '' && { placeholderData: keepPreviousData }),
  });
  const numbered = byNumber.data ?? undefined;
  // Without a request, the answer of an earlier text stays.
  const results = canSearch(text) ? byName.data : undefined;
  const others = (results?.pets ?? []).filter(({ id }) => id !== numbered?.id);
  return {
    pets: numbered ? [numbered, ...others] : others,
    hasMore: text !== '' && results?.next !== undefined,
    hasList: text !== '' && results !== undefined && results.pets.length > 0,
    isSettled: !canSearch(text) || (!byNumber.isLoading && !byName.isLoading && !byName.isPlaceholderData),
    error: byName.error,
    retry: () => void byName.refetch(),
  };
}

/** What Enter opens: one animal, one category, or all results. */
export type Meant = { petId: bigint } | { categoryId: bigint } | { results: number };

/** At most this many results are compared with the text. */
const maxCompared = 100;

/**
 * The animal with this number, unless it is the name of another one; the only result; or the only animal or category with
 * exactly this name.
 * @throws why the animals could not be searched
 */
export async function findMeant(text: string, names: CategoryNames, queryClient: QueryClient): Promise<Meant> {
  if (!canSearch(text)) return { results: 0 };
  const isExact = (name: string) => foldName(name.trim()) === foldName(text);
  const byName = () => queryClient.query(petsByNameQuery(text, maxCompared));
  const id = parseTypedPetId(text);
  // The page of the animal explains an error.
  if (id !== undefined && (await queryClient.query(petByNumberQuery(text)).catch(() => true))) {
    const { pets } = await byName().catch(() => ({ pets: [] }));
    const isOther = pets.some((pet) => pet.id !== id && isExact(pet.name));
    return isOther ? { results: pets.length } : { petId: id };
  }
  const { pets, next } = await byName();
  const exact = pets.length === 1 ? pets : pets.filter(({ name }) => isExact(name));
  const [pet] = exact;
  if (pet && exact.length === 1 && next === undefined) return { petId: pet.id };
  const categories = [...names].filter(([, name]) => isExact(name));
  const [category] = categories;
  if (category && categories.length === 1 && exact.length === 0) return { categoryId: category[0] };
  return { results: pets.length };
}
