import { foldName, isInt64, visibleName } from '@petstore/contracts';
import type { CategoryNames } from './store-info.js';

/** What the field shows for each category: the name, with the number only if the name alone could mean another one. */
export function categoryLabels(names: CategoryNames): Map<bigint, string> {
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
  const isClear = (name: string) => counts.get(keyOf(name)) === 1 && readNumber(keyOf(name)) === undefined;
  return new Map([...names].map(([id, name]) => [id, isClear(name) ? name : `${name} (${id})`]));
}

/** "Rabbits", or the number of a category without a name. */
export function categoryLabel(id: bigint, names: CategoryNames): string {
  return categoryLabels(names).get(id) ?? String(id);
}

const keyOf = (text: string) => visibleName(text).toLowerCase();
/** As the search of the header. */
const looseKeyOf = (text: string) => foldName(visibleName(text));

/**
 * The category that a person typed: a number, also grouped as in "1,000" or as "Category 7", a name, or the beginning of one
 * name only.
 */
export function readCategory(text: string, names: CategoryNames): bigint | undefined {
  const typed = keyOf(text);
  const labels = [...names].map(([id, name]) => ({ id, name: keyOf(name), label: keyOf(`${name} (${id})`) }));
  const exact = labels.filter(({ name, label }) => label === typed || name === typed);
  const number = exact.length > 0 ? readNumber(typed) : readLabel(typed);
  if (number !== undefined) return isInt64(number) ? number : undefined;
  const beginning = looseKeyOf(text);
  const begins = ({ label }: { label: string }) => foldName(label).startsWith(beginning);
  const matches = exact.length > 0 || typed === '' ? exact : labels.filter(begins);
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Those whose text contains the search: first those that begin with it, then those with a word that does. */
export function sortByMatch<T>(items: readonly T[], search: string, textOf: (item: T) => string): T[] {
  const typed = looseKeyOf(search);
  const rankOf = (item: T) => {
    const text = looseKeyOf(textOf(item));
    return text.startsWith(typed) ? 0 : text.includes(` ${typed}`) ? 1 : text.includes(typed) ? 2 : 3;
  };
  const ranked = items.map((item) => ({ item, rank: rankOf(item) })).filter(({ rank }) => rank < 3);
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

export function validateCategory(text: string, names: CategoryNames): string | null {
  const typed = text.trim();
  if (typed === '') return names.size > 0 ? 'Enter a category' : 'Enter a category number';
  if (readCategory(typed, names) !== undefined) return null;
  if (readLabel(keyOf(text)) !== undefined) return 'This category number is too long';
  if (names.size === 0 || /^[\d.,+-]+$/.test(typed)) return 'Category must be a whole number';
  return `No category is called “${typed}”. Choose one from the list, or enter its number`;
}

const digits = /^[+-]?\d+$/;
/** Not a dot, which may start decimals. */
const groupedDigits = /^[+-]?\d{1,3}(?:[, \u00A0\u202F'’]\d{3})+$/;

/** Also as the lists show a category without a name. */
const readLabel = (typed: string) => readNumber(typed.replace(/^category /, ''));

function readNumber(text: string): bigint | undefined {
  if (digits.test(text)) return BigInt(text.replace('+', ''));
  return groupedDigits.test(text) ? BigInt(text.replaceAll(/[^\d-]/g, '')) : undefined;
}
