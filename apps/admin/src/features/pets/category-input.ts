import { isInt64 } from '@petstore/contracts';
import type { CategoryNames } from '../../shared/store-info.js';

/** What the field shows for a category: "Rabbits (7)", or only the number. */
export function categoryLabel(id: bigint, names: CategoryNames): string {
  const name = names.get(id);
  return name === undefined ? String(id) : `${name} (${id})`;
}

/** The category that a person typed: a number, also grouped as in "1,000", a name, or the beginning of one name only. */
export function readCategory(text: string, names: CategoryNames): bigint | undefined {
  const typed = text.trim().toLowerCase();
  const number = readNumber(typed);
  if (number !== undefined) return isInt64(number) ? number : undefined;
  const labels = [...names.keys()].map((id) => ({ id, label: categoryLabel(id, names).toLowerCase() }));
  const exact = labels.filter(({ id, label }) => label === typed || names.get(id)?.trim().toLowerCase() === typed);
  const matches = exact.length > 0 || typed === '' ? exact : labels.filter(({ label }) => label.startsWith(typed));
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Those whose text contains the search: first those that begin with it, then those with a word that does. */
export function sortByMatch<T>(items: readonly T[], search: string, textOf: (item: T) => string): T[] {
  const typed = search.trim().toLowerCase();
  const rankOf = (item: T) => {
    const text = textOf(item).toLowerCase();
    return text.startsWith(typed) ? 0 : text.includes(` ${typed}`) ? 1 : text.includes(typed) ? 2 : 3;
  };
  const ranked = items.map((item) => ({ item, rank: rankOf(item) })).filter(({ rank }) => rank < 3);
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

export function validateCategory(text: string, names: CategoryNames): string | null {
  const typed = text.trim();
  if (typed === '') return names.size > 0 ? 'Enter a category' : 'Enter a category number';
  if (readCategory(typed, names) !== undefined) return null;
  if (readNumber(typed) !== undefined) return 'This category number is too long';
  if (names.size === 0 || /^[\d.,+-]+$/.test(typed)) return 'Category must be a whole number';
  return `No category is called “${typed}”. Choose one from the list, or enter its number`;
}

const digits = /^[+-]?\d+$/;
/** Not a dot, which may start decimals. */
const groupedDigits = /^[+-]?\d{1,3}(?:[, \u00A0\u202F'’]\d{3})+$/;

function readNumber(text: string): bigint | undefined {
  if (digits.test(text)) return BigInt(text.replace('+', ''));
  return groupedDigits.test(text) ? BigInt(text.replaceAll(/[^\d-]/g, '')) : undefined;
}
