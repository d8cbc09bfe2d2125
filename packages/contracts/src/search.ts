import type { Pet } from './pet.js';

/** Bounds of the filter `q`: its length in Unicode code points, and its number of words. */
export const searchLimits = { length: 100, words: 8 } as const;

/** A folded word with fewer code points is searched only at the beginning of a word of the name. */
export const minPartLength = 3;

const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};
const letter = new RegExp(Object.keys(letters).join('|'), 'g');

/**
 * The form of a name that searches and comparisons use: lower case, and without the marks of Latin, Greek and Cyrillic
 * letters. People find "Zoë" by "zoe". Marks of other scripts stay, because they make another letter: パ is not ハ. The same
 * rules as the function fold_name of the database.
 */
export function foldName(name: string): string {
  // Most names: ten times as fast.
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  const lower = name.normalize('NFKD').toLowerCase();
  return lower.replaceAll(/[\u0300-\u036f]/g, '').replaceAll(letter, (found) => letters[found] ?? found);
}

/**
 * From the first to the last character that is seen, with the variation selectors and the tags that complete an emoji. Unseen
 * are white space, control characters, bidi marks, fillers such as U+3164, and the blank U+2800.
 */
const seen =
  /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800](?:.*[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800])?[\p{Variation_Selector}\u{E0020}-\u{E007F}]*/su;

/** Control characters, except NUL, which is an error, and what only says where a line may break. */
const shapeless = /(?![\0\s\u0085])\p{Cc}|[\u00AD\u200B\u2060\uFEFF]/gu;

/**
 * The name to store of what a person typed, or a file has: phones, spreadsheets and web pages add spaces and characters that
 * no one sees. Programs decide themselves: the API stores names as they are sent.
 */
export function trimName(text: string): string {
  return (seen.exec(text)?.[0] ?? '').replaceAll(shapeless, '').replaceAll(/[\s\u0085\u2800\u3164\uFFA0]+/g, ' ');
}

/** A name without differences that a person does not see: macOS writes ä as a with a mark. */
export function visibleName(name: string): string {
  return trimName(name).normalize('NFC');
}

/** The folded words of a search, which white space separates. A folded word can contain a space, or be empty. */
export function searchWords(q: string): string[] {
  return wordsOf(q).map(foldName);
}

function wordsOf(q: string): string[] {
  return q.split(/\s+/).filter((word) => word !== '');
}

/** What is wrong with a value of `q`, as the rest of a sentence that starts with the parameter, or `undefined`. */
export function searchFault(q: unknown): string | undefined {
  if (typeof q !== 'string') return 'must be a text';
  const { length, words } = searchLimits;
  if (q.length > length && Array.from(q).length > length) return `must have at most ${length} characters`;
  if (q.includes('\0')) return 'must not contain a NUL character';
  const found = wordsOf(q);
  if (found.length === 0) return `must have 1 to ${words} words`;
  if (found.length > words) return `must have 1 to ${words} words, not ${found.length}`;
  const other = found.find((word) => !isSearchable(word));
  return other === undefined ? undefined : `must have a letter or a digit in every word. Remove "${other}"`;
}

/** Whether a folded word has a letter or a digit: the index of names ignores all other characters. */
export function isSearchable(word: string): boolean {
  return /[\p{L}\p{N}]/u.test(foldName(word));
}

/** A key that is equal for animals of one category whose names look the same, apart from case and accents. */
export function samePetKey({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>): string {
  return `${categoryId} ${foldName(trimName(name)).replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')}`;
}
