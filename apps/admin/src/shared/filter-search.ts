import { isInt64, type PetStatus, petStatuses } from '@petstore/contracts';
import { statusLabels } from './format.js';
import type { PetFilter } from './known-pets/pet-index.js';
import { newSinceText } from './known-pets/visits.js';
import type { CategoryNames } from './store-info.js';

/** Which animals, in the address of the list, the labels and the export. */
export interface FilterSearch {
  /** Words to search for. With words, categories or `since`, the animals are those that this device knows. */
  q?: string;
  /** The numbers of categories. */
  category?: readonly string[];
  /** Only animals with a higher number: those that were added later. */
  since?: string;
  status?: PetStatus;
}

/** Drops what is no filter. */
export function parseFilter(params: Record<string, unknown>): FilterSearch {
  const { q } = params;
  const category = parseCategories(params['category']);
  const since = /^\d{1,19}$/.test(String(params['since'])) ? String(BigInt(String(params['since']))) : undefined;
  const status = petStatuses.find((name) => name === params['status']);
  return pickFilter({
    ...(typeof q === 'string' && { q: q.trim() }),
    ...(category.length > 0 && { category }),
    ...(since !== undefined && { since }),
    ...(status && { status }),
  });
}

function parseCategories(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const numbers = values.map(String).filter((text) => /^-?\d{1,19}$/.test(text) && isInt64(BigInt(text)));
  return [...new Set(numbers.map((text) => String(BigInt(text))))];
}

/** Without the other parts of an address. */
export function pickFilter({ q, category, since, status }: FilterSearch): FilterSearch {
  return {
    ...(q && { q }),
    ...(category && { category }),
    ...(since !== undefined && { since }),
    ...(status && { status }),
  };
}

/** Whether the animals come from this device, not from a list of the service. */
export function isFound({ q, category, since }: FilterSearch): boolean {
  return q !== undefined || category !== undefined || since !== undefined;
}

export function toPetFilter({ q, category, since, status }: FilterSearch): PetFilter {
  return { text: q, categories: category?.map(BigInt), since: since === undefined ? undefined : BigInt(since), status };
}

/** One part of a filter. */
export interface FilterPart {
  /** "Category: Rabbits" */
  label: string;
  /** "Rabbits" */
  text: string;
  /** The filter without this part. */
  others: FilterSearch;
}

export function filterParts(search: FilterSearch, names: CategoryNames): FilterPart[] {
  const { q, category = [], since, status } = search;
  const parts: FilterPart[] = [];
  const add = (label: string, text: string, changes: Partial<Record<keyof FilterSearch, unknown>>) =>
    parts.push({ label, text, others: parseFilter({ ...search, ...changes }) });
  if (q) add(`Words: ${q}`, `“${q}”`, { q: undefined });
  for (const id of category) {
    const others = category.filter((other) => other !== id);
    add(`Category: ${names.get(BigInt(id)) ?? id}`, categoryName(BigInt(id), names), { category: others });
  }
  if (since) add(newSinceText(since), newSinceText(since), { since: undefined });
  if (status) add(`Status: ${statusLabels[status]}`, statusLabels[status], { status: undefined });
  return parts;
}

/** "“hoppel” · Rabbits · Sold" */
export function filterText(search: FilterSearch, names: CategoryNames): string {
  return filterParts(search, names)
    .map(({ text }) => text)
    .join(' · ');
}

/** "Rabbits", or "Category 7" without a name. */
export function categoryName(id: bigint, names: CategoryNames): string {
  return names.get(id) ?? `Category ${id}`;
}

/** Plain query parameters: by default, the router writes JSON into the address. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]) as (string | number | undefined)[];
    return values.filter((one) => one !== undefined).map((one) => [name, String(one)]);
  });
  const text = new URLSearchParams(pairs).toString();
  return text && `?${text}`;
}
