import type { Pet, PetStatus } from '@petstore/contracts';
import { queryOptions } from '@tanstack/react-query';
import { callApi, walkPets } from '../../shared/api.js';
import { parseRanges, takeNumbers } from './number-ranges.js';

/** `numbers` in the form of `parseRanges`. */
export type LabelSource = { numbers: string } | { status: PetStatus | undefined };

/** The animals of one print. More labels would take a browser too long. */
export interface LabelBatch {
  pets: Pet[];
  /** Numbers that no animal has. */
  missing: bigint[];
  /** Where the next batch starts, if there is one. */
  next: string | undefined;
}

export const batchSize = 500;
const simultaneousRequests = 10;

/** One batch. Without `start`, the first one. */
export function labelBatchQuery(source: LabelSource, start: string | undefined) {
  return queryOptions({
    queryKey: ['labels', source, start],
    queryFn: ({ signal }) =>
      'numbers' in source ? readNumbers(source.numbers, start, signal) : readFilter(source.status, start, signal),
    // The labels must not change while they are printed.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
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
  // One more shows whether another batch follows.
  const numbers = takeNumbers(parseRanges(text) ?? [], position, size + 1n);
  const batch: LabelBatch = { pets: [], missing: [], next: undefined };
  if (numbers.length > batchSize) batch.next = String(position + size);
  const wanted = numbers.slice(0, batchSize);
  for (let done = 0; done < wanted.length; done += simultaneousRequests) {
    const group = wanted.slice(done, done + simultaneousRequests);
    const found = await callApi((client) => Promise.all(group.map((id) => client.getPet(id, { signal }))), signal);
    for (const [index, id] of group.entries()) {
      const pet = found[index];
      if (pet) batch.pets.push(pet);
      else batch.missing.push(id);
    }
  }
  return batch;
}
