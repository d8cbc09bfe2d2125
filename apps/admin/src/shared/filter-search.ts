import type { ListPetsOptions } from '@petstore/client';
import {
  foldName,
  isInt64,
  isSearchable,
  minPartLength,
  type PetFilter,
  type PetStatus,
  petStatuses,
  searchLimits,
  searchWords,
} from '@petstore/contracts';
import { statusLabels } from './format.js';
import type { CategoryNames } from './store-info.js';

/** Which animals, in the address of the list, the labels and the export. */
export interface FilterSearch {
  q?: string;
  /** The numbers of categories. */
  category?: readonly string[];
  status?: PetStatus;
}

/** Drops what is no filter. */
export function parseFilter(params: Record<string, unknown>): FilterSearch {
  const q = typeof params['q'] === 'string' ? searchText(params['q']) : '';
  const category = parseCategories(params['category']);
  const status = petStatuses.find((name) => name === params['status']);
  return pickFilter({
    q,
    ...(category.length > 0 && { category }),
    ...(status && { status }),
  });
}

/**
 * The words that the service can search for: not the "&" of "Tom & Jerry". It accepts no more, and the list names those that
 * it searched for.
 */
export function searchText(text: string): string {
  const spaced = text.replaceAll(/[\0\s]+/g, ' ').trim();
  const words = Array.from(spaced).slice(0, searchLimits.length).join('').split(' ');
  return words.filter(isSearchable).slice(0, searchLimits.words).join(' ');
}

/** The service accepts no more categories in one filter. */
const maxCategories = 20;

function parseCategories(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const numbers = values.map(String).filter((text) => /^-?\d{1,19}$/.test(text) && isInt64(BigInt(text)));
  return [...new Set(numbers.map((text) => String(BigInt(text))))].slice(0, maxCategories);
}

/** Without the other parts of an address. */
export function pickFilter({ q, category, status }: FilterSearch): FilterSearch {
  return { ...(q && { q }), ...(category && { category }), ...(status && { status }) };
}

/** Whether the filter is more than a status. */
export function isSearch({ q, category }: FilterSearch): boolean {
  return q !== undefined || category !== undefined;
}

/** The filter, for the API. A filter that is added to the contracts does not compile until it is here. */
export function toListFilter({ q, category, status }: FilterSearch): {
  [Name in keyof Required<PetFilter>]: ListPetsOptions[Name];
} {
  return { q, categoryId: category?.map(BigInt), status };
}

/** "“hoppel” · Rabbits · Sold" */
export function filterText({ q, category = [], status }: FilterSearch, names: CategoryNames): string {
  const words = q === undefined ? [] : [`“${q}”`];
  const categories = category.map((id) => categoryName(BigInt(id), names));
  return [...words, ...categories, ...(status ? [statusLabels[status]] : [])].join(' · ');
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

/** The characters of a name in parts: every second one is a match of a word of the text. */
export function splitByMatch(name: string, text: string): string[] {
  const folded = Array.from(name, (character) => ({ character, text: foldName(character), isMatch: false }));
  const whole = ` ${folded.map((part) => part.text).join('')}`;
  for (const word of searchWords(text)) {
    const start = whole.indexOf(Array.from(word).length < minPartLength ? ` ${word}` : word);
    markMatch(folded, start - (whole[start] === ' ' ? 0 : 1), word.length);
  }
  const parts = [''];
  for (const { character, isMatch } of folded) {
    if (isMatch !== (parts.length % 2 === 0)) parts.push('');
    parts[parts.length - 1] += character;
  }
  return parts;
}

/** The positions are those of the folded text, which may be longer than the name. */
function markMatch(folded: { text: string; isMatch: boolean }[], start: number, length: number): void {
  let position = 0;
  for (const part of folded) {
    part.isMatch ||= start >= 0 && position >= start && position < start + length;
    position += part.text.length;
  }
}
