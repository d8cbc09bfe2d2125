import { type Pet, type PetStatus, petStatuses } from '@petstore/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, walkPets } from '../../shared/api.js';
import { type FilterSearch, toPetFilter } from '../../shared/filter-search.js';
import {
  currentKnownPets,
  findStorePets,
  getKnownPets,
  refreshKnownPetsWithin,
} from '../../shared/known-pets/known-pets.js';
import type { AnimalChoice } from './label-search.js';
import { parseRanges, rangesUpTo, takeNumbers } from './number-ranges.js';

/** `numbers` in the form of `parseRanges`. */
type LabelSource = { numbers: string } | { results: FilterSearch } | { status: PetStatus | undefined };

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
/** More numbers than this are not requested one by one, unless the store takes longer to read than `maxWaitMs`. */
const maxSingle = 20;
const maxWaitMs = 3000;

/** The animals of the labels, a limited number at a time. */
export function useLabelBatch(animals: AnimalChoice, numbers: string, results: FilterSearch | undefined) {
  const name = `${animals} ${numbers}`;
  /** Where this part and those before it start. The first one has no start. */
  const [parts, setParts] = useState<{ name: string; starts: string[] }>({ name, starts: [] });
  const starts = parts.name === name ? parts.starts : [];
  const isEmpty = animals === 'test' || ((animals === 'numbers' || animals === 'imported') && numbers === '');
  const { data, error, refetch, isFetching } = useQuery({
    ...labelBatchQuery(animals === 'results' && results ? { results } : sourceOf(animals, numbers), starts.at(-1)),
    enabled: !isEmpty,
  });
  const openPart = (changed: string[]) => setParts({ name, starts: changed });
  return { data, error, refetch, isFetching, isEmpty, starts, openPart };
}

export type LabelBatchState = ReturnType<typeof useLabelBatch>;

function sourceOf(animals: AnimalChoice, numbers: string): LabelSource {
  if (animals === 'numbers' || animals === 'imported') return { numbers };
  return { status: petStatuses.find((status) => status === animals) };
}

/** One batch. Without `start`, the first one. */
function labelBatchQuery(source: LabelSource, start: string | undefined) {
  return queryOptions({
    queryKey: ['labels', source, start],
    queryFn: ({ signal }) => {
      if ('results' in source) return readResults(source.results, start);
      return 'numbers' in source
        ? readNumbers(source.numbers, start, signal)
        : readFilter(source.status, start, signal);
    },
    // The labels must not change while they are printed.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** `start` is a position in the results, the oldest first. */
async function readResults(filter: FilterSearch, start = '0'): Promise<LabelBatch> {
  const skip = Number(start);
  const next = skip + batchSize;
  const { pets, count } = await findStorePets(toPetFilter(filter), { skip, limit: batchSize, order: 'asc' });
  return { pets, missing: [], next: next < count ? String(next) : undefined };
}

async function readFilter(
  status: PetStatus | undefined,
  after: string | undefined,
  signal: AbortSignal,
): Promise<LabelBatch> {
  const batch: LabelBatch = { pets: [], missing: [], next: undefined };
  for await (const page of walkPets({ status, after, signal })) {
    batch.pets.push(...page.pets);
    batch.next = page.next;
    if (batch.pets.length >= batchSize) break;
  }
  return batch;
}

/** `start` is a position in the numbers. */
async function readNumbers(text: string, start = '0', signal: AbortSignal): Promise<LabelBatch> {
  const [position, size] = [BigInt(start), BigInt(batchSize)];
  const newest = (await callApi((client) => client.listPets({ order: 'desc', limit: 100 }, { signal }).page(), signal))
    .pets;
  const newestId = newest[0]?.id ?? 0n;
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

/** Reads many numbers by pages of the list: one request for each would take long, and others would have to wait. */
async function findNumbers(
  wanted: readonly bigint[],
  newest: readonly Pet[],
  signal: AbortSignal,
): Promise<Map<bigint, Pet>> {
  const found = new Map(newest.map((pet) => [pet.id, pet]));
  const add = (pets: readonly (Pet | undefined)[]) => {
    for (const pet of pets) if (pet) found.set(pet.id, pet);
  };
  const rest = () => wanted.filter((id) => !found.has(id));
  if (rest().length > maxSingle) {
    await refreshKnownPetsWithin(maxWaitMs);
    add(await getKnownPets(rest()));
    const { isComplete, isLimitReached, isUpdating, error } = currentKnownPets();
    if (isComplete && !isLimitReached && !isUpdating && error === undefined) return found;
  }
  const others = rest();
  for (let done = 0; done < others.length; done += simultaneousRequests) {
    const group = others.slice(done, done + simultaneousRequests);
    add(await callApi((client) => Promise.all(group.map((id) => client.getPet(id, { signal }))), signal));
  }
  return found;
}
