import { type Category, type KeyInfo, parseJson } from '@petstore/contracts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { keyFingerprint } from './api.js';
import { acceptKey, useSession } from './session.js';

/** Names by category number. */
export type CategoryNames = ReadonlyMap<bigint, string>;

interface StoreInfo {
  '/key.json': Pick<KeyInfo, 'scopes'>;
  '/categories.json': Category[];
}

const noNames: CategoryNames = new Map();
/** The pages work without this information: a slow answer must not hold up a form. */
const timeoutMs = 3000;

export function categoryNamesQuery(key: string) {
  return queryOptions({
    queryKey: ['category-names', keyFingerprint(key)],
    queryFn: async (): Promise<CategoryNames> => {
      const categories = await readStoreInfo('/categories.json', key);
      return new Map(categories?.map(({ id, name }) => [id, name]));
    },
    staleTime: 60_000,
    structuralSharing: false,
  });
}

/** The rights of an API key, which never change. `null` if the service does not return them. */
export function scopesQuery(key: string) {
  return queryOptions({
    queryKey: ['scopes', keyFingerprint(key)],
    queryFn: async () => (await readStoreInfo('/key.json', key))?.scopes ?? null,
    staleTime: Infinity,
  });
}

/** `isPending` until the service has answered or failed. A store without names has an empty map. */
export function useCategoryNames(): { names: CategoryNames; isPending: boolean } {
  const options = { ...categoryNamesQuery(useSession()?.key ?? ''), placeholderData: keepPreviousData };
  const { data: names = noNames, isPending } = useQuery(options);
  return { names, isPending };
}

/** Whether the person may add animals; `undefined` until it is known. Without an answer, the service decides later. */
export function useCanAdd(): boolean | undefined {
  // A form must not change while another key replaces a rejected one.
  const options = { ...scopesQuery(useSession()?.key ?? ''), placeholderData: keepPreviousData };
  const { data: scopes, isPending } = useQuery(options);
  return isPending ? undefined : (scopes?.includes('write') ?? true);
}

/** Reads JSON outside the API. `undefined` if this service has none. */
async function readStoreInfo<Path extends keyof StoreInfo>(
  path: Path,
  key: string,
): Promise<StoreInfo[Path] | undefined> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(path, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  acceptKey(key);
  return parseJson(await response.text()) as StoreInfo[Path];
}
