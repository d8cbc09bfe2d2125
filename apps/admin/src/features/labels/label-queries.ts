import type { Pet } from '@petstore/contracts';
import { queryOptions } from '@tanstack/react-query';
import { type FilterSearch, toListFilter } from '../../shared/filter-search.js';
import { petQuery, walkPets } from '../../shared/pet-queries.js';
import { queryClient } from '../../shared/query-client.js';
import { maxLabels, parseNumbers } from './label-search.js';

/** The animals of one print. */
export interface LabelPets {
  /** None if there are more than `maxLabels`. */
  pets: Pet[];
  missing: bigint[];
  hasMore: boolean;
}

/** Numbers such as "12, 15-20", or a filter of the list. */
export function labelsQuery(source: string | FilterSearch) {
  return queryOptions({
    queryKey: ['labels', source],
    queryFn: ({ signal }) => (typeof source === 'string' ? readNumbers(source, signal) : readFilter(source, signal)),
    enabled: source !== '',
    // The labels must not change while they are printed.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

async function readFilter(filter: FilterSearch, signal: AbortSignal): Promise<LabelPets> {
  const pets: Pet[] = [];
  for await (const page of walkPets({ ...toListFilter(filter), signal })) {
    pets.push(...page.pets);
    if (pets.length > maxLabels) break;
  }
  const hasMore = pets.length > maxLabels;
  return { pets: hasMore ? [] : pets, missing: [], hasMore };
}

const simultaneousRequests = 10;

async function readNumbers(text: string, signal: AbortSignal): Promise<LabelPets> {
  const { numbers } = parseNumbers(text);
  const result: LabelPets = { pets: [], missing: [], hasMore: numbers.length > maxLabels };
  if (result.hasMore) return result;
  for (let done = 0; done < numbers.length; done += simultaneousRequests) {
    signal.throwIfAborted();
    const group = numbers.slice(done, done + simultaneousRequests);
    const found = await Promise.all(group.map((id) => queryClient.query(petQuery(id))));
    result.pets.push(...found.filter((pet) => pet !== null));
    result.missing.push(...group.filter((_, index) => !found[index]));
  }
  return result;
}
