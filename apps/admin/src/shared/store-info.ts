import { type PetstoreClientOptions, readCategories, readKeyInfo } from '@petstore/client';
import type { Category, PetStatus } from '@petstore/contracts';
import { keepPreviousData, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { clientOptions, keyFingerprint } from './client.js';
import { acceptKey, useSession } from './session.js';

/** Names by category number. */
export type CategoryNames = ReadonlyMap<bigint, string>;

const noNames: CategoryNames = new Map();
/** The pages work without this information: a slow answer must not hold up a form. */
const quick = { timeoutMs: 3000, retries: 0 };

/** The service counts the animals of categories every 10 seconds: with this interval, no number is older than 15 seconds. */
export const countsMs = 5000;

/** The categories with their numbers of animals. */
function categoriesQuery(key: string) {
  return queryOptions({
    queryKey: ['categories', keyFingerprint(key)],
    queryFn: () => read(readCategories, key),
  });
}

/** The number of animals of a category with a status, or of all. */
export function countOf({ available, pending, sold, ...category }: Category, status?: PetStatus): number {
  return Number(status ? { ...category, available, pending, sold }[status] : available + pending + sold);
}

function toNames(categories: readonly Category[]): CategoryNames {
  return new Map(categories.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/** The name and rights of an API key, which never change. */
function keyInfoQuery(key: string) {
  return queryOptions({
    queryKey: ['key', keyFingerprint(key)],
    queryFn: () => read(readKeyInfo, key),
    staleTime: Infinity,
  });
}

/** `isPending` until the service has answered or failed. A store without names has an empty map. */
export function useCategoryNames(): { names: CategoryNames; isPending: boolean } {
  const options = { ...categoriesQuery(useSession()?.key ?? ''), select: toNames, placeholderData: keepPreviousData };
  const query = useQuery(options);
  return { names: query.data ?? noNames, isPending: isUnanswered(query) };
}

/** The categories, requested again at this interval. */
export function useLiveCategories(refetchInterval: number) {
  const options = { ...categoriesQuery(useSession()?.key ?? ''), placeholderData: keepPreviousData };
  return useQuery({ ...options, refetchInterval });
}

/** The key of the person; `undefined` until it is known, `null` without an answer. */
export function useKeyInfo() {
  // A form must not change while another key replaces a rejected one.
  const options = { ...keyInfoQuery(useSession()?.key ?? ''), placeholderData: keepPreviousData };
  const query = useQuery(options);
  return isUnanswered(query) ? undefined : (query.data ?? null);
}

/** Whether the person may add animals; `undefined` until it is known. Without an answer, the service decides later. */
export function useCanAdd(): boolean | undefined {
  const info = useKeyInfo();
  return info === undefined ? undefined : (info?.scopes.includes('write') ?? true);
}

/** Not while a failed query is tried again: each component that uses it does that when it appears. */
function isUnanswered({ isPending, errorUpdateCount }: UseQueryResult): boolean {
  return isPending && errorUpdateCount === 0;
}

async function read<T>(request: (client: PetstoreClientOptions) => Promise<T>, key: string): Promise<T> {
  const info = await request(clientOptions(key, quick));
  acceptKey(key);
  return info;
}
