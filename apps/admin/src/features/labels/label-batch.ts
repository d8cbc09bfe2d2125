import type { PetPage } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../shared/api.js';
import { type FilterSearch, parseFilter, toListFilter } from '../../shared/filter-search.js';
import { walkPets } from '../../shared/pet-queries.js';
import type { AnimalChoice } from './label-search.js';
import { parseRanges, rangesUpTo, takeNumbers } from './number-ranges.js';

/** `numbers` in the form of `parseRanges`. */
type LabelSource = { numbers: string } | { filter: FilterSearch };

/** The animals of one print. More labels would take a browser too long. */
export interface LabelBatch {
  pets: Pet[];
  /** Numbers that no animal has. */
  missing: bigint[];
  /** The highest number of an animal, if higher ones were asked for. */
  newestId?: bigint | undefined;
  /** Where the next batch starts, if there is one. */
  next: string | undefined;
}

export const batchSize = 500;
const simultaneousRequests = 10;
/** More numbers than this are looked for in pages of the list first. */
const maxSingle = 20;
const maxPages = 10;

/** The animals of the labels, a limited number at a time. */
export function useLabelBatch(animals: AnimalChoice, numbers: string, results: FilterSearch | undefined) {
  const name = `${animals} ${numbers}`;
  /** Where this part and those before it start. The first one has no start. */
  const [parts, setParts] = useState<{ name: string; starts: string[] }>({ name, starts: [] });
  const starts = parts.name === name ? parts.starts : [];
  const isEmpty = animals === 'test' || ((animals === 'numbers' || animals === 'imported') && numbers === '');
  const source = animals === 'results' && results ? { filter: results } : sourceOf(animals, numbers);
  const start = starts.at(-1);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['labels', source, start],
    queryFn: ({ signal }) =>
      'numbers' in source ? readNumbers(source.numbers, start, signal) : readFilter(source.filter, start, signal),
    enabled: !isEmpty,
    // The labels must not change while they are printed.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const openPart = (changed: string[]) => setParts({ name, starts: changed });
  return { data, error, refetch, isFetching, isEmpty, starts, openPart };
}

export type LabelBatchState = ReturnType<typeof useLabelBatch>;

function sourceOf(animals: AnimalChoice, numbers: string): LabelSource {
  if (animals === 'numbers' || animals === 'imported') return { numbers };
  return { filter: parseFilter({ status: animals }) };
}

/** `after` is a cursor. */
async function readFilter(filter: FilterSearch, after: string | undefined, signal: AbortSignal): Promise<LabelBatch> {
  const batch: LabelBatch = { pets: [], missing: [], next: undefined };
  for await (const page of walkPets({ ...toListFilter(filter), after, signal })) {
    batch.pets.push(...page.pets);
    batch.next = page.next;
    if (batch.pets.length >= batchSize) break;
  }
  return batch;
}

/** `start` is a position in the numbers. */
async function readNumbers(text: string, start = '0', signal: AbortSignal): Promise<LabelBatch> {
  const [position, size] = [BigInt(start), BigInt(batchSize)];
  const query = { order: 'desc', limit: 100 } as const;
  const newest = await callApi((client) => client.listPets(query, { signal }).page(), signal);
  const newestId = newest.pets[0]?.id ?? 0n;
  const { ranges } = parseRanges(text);
  // One more shows whether another batch follows.
  const numbers = takeNumbers(rangesUpTo(ranges, newestId), position, size + 1n);
  const wanted = numbers.slice(0, batchSize);
  const found = await findNumbers(wanted, newest, signal);
  return {
    pets: wanted.map((id) => found.get(id)).filter((pet) => pet !== undefined),
    missing: wanted.filter((id) => !found.has(id)),
    newestId: ranges.some(({ last }) => last > newestId) ? newestId : undefined,
    next: numbers.length > batchSize ? String(position + size) : undefined,
  };
}

/** Many numbers are usually those of the newest animals, for example after an import: pages of the list have them first. */
async function findNumbers(wanted: readonly bigint[], newest: PetPage, signal: AbortSignal): Promise<Map<bigint, Pet>> {
  const found = new Map(newest.pets.map((pet) => [pet.id, pet]));
  const add = (pets: readonly (Pet | undefined)[]) => {
    for (const pet of pets) if (pet) found.set(pet.id, pet);
  };
  let { pets, next } = newest;
  /** The numbers below the last page. Higher ones are known, or missing. */
  const rest = () => wanted.filter((id) => next !== undefined && id < (pets.at(-1)?.id ?? 0n));
  for (let page = 1; page < maxPages && next !== undefined && rest().length > maxSingle; page += 1) {
    const query = { order: 'desc', limit: 100, after: next } as const;
    ({ pets, next } = await callApi((client) => client.listPets(query, { signal }).page(), signal));
    add(pets);
  }
  const others = rest();
  for (let done = 0; done < others.length; done += simultaneousRequests) {
    const group = others.slice(done, done + simultaneousRequests);
    add(await callApi((client) => Promise.all(group.map((id) => client.getPet(id, { signal }))), signal));
  }
  return found;
}
