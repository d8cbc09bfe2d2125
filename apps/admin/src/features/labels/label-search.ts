import { petStatuses } from '@petstore/contracts';
import { type FilterSearch, isSearch, parseFilter } from '../../shared/filter-search.js';
import { parseLabelAddress, parsePetId } from '../../shared/pet-id.js';

/** Which animals get labels. `results` are those of a search; `test` prints a test page. */
export const animalChoices = ['results', 'numbers', 'imported', 'all', ...petStatuses, 'test'] as const;
export type AnimalChoice = (typeof animalChoices)[number];

/** The address. `numbers` is what the person typed, for example "12, 15-20". */
export interface LabelSearch extends FilterSearch {
  animals?: AnimalChoice;
  numbers?: string;
}

export function parseLabelSearch(params: Record<string, unknown>): LabelSearch {
  const { animals, numbers } = params;
  const filter = parseFilter(params);
  if (isSearch(filter)) return filter;
  const choice = animalChoices.find((name) => name === animals);
  if (choice && choice !== 'results') return { animals: choice };
  return typeof numbers === 'string' && numbers !== '' ? { numbers } : {};
}

/** A browser would take too long for more. */
export const maxLabels = 500;

export interface NumberList {
  /** At most one more than `maxLabels`. */
  numbers: bigint[];
  /** The same numbers for the field and the address: "12, 15-20". */
  text: string;
  wrong: string[];
}

/** Reads "12, 15-20", and the addresses of animals that a scanner types. */
export function parseNumbers(text: string): NumberList {
  const parts = splitParts(text);
  const ranges = parts.flatMap((part) => parseRange(part) ?? []);
  const numbers: bigint[] = [];
  for (const { first, last } of ranges)
    for (let id = first; id <= last && numbers.length <= maxLabels; id += 1n) numbers.push(id);
  return {
    numbers,
    text: ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(', '),
    wrong: parts.filter((part) => !parseRange(part)),
  };
}

/** A scanner may type one address after the other, and other layouts type "," or ";" for the characters of an address. */
function splitParts(text: string): string[] {
  const words = text
    .replaceAll(/(?=http)/gi, ' ')
    .replaceAll(/\s*[-–]\s*(?=\d)/g, '-')
    .split(/\s+/)
    .map((word) => word.replace(/[,;]+$/, ''));
  return words.flatMap((word) => (parseLabelAddress(word) === undefined ? word.split(/[,;]+/) : word)).filter(Boolean);
}

function parseRange(part: string): { first: bigint; last: bigint } | undefined {
  const id = parseLabelAddress(part);
  if (id !== undefined) return { first: id, last: id };
  const [first, last = first, ...others] = part.split('-').map(parsePetId);
  if (first === undefined || last === undefined || others.length > 0) return undefined;
  return first > last ? { first: last, last: first } : { first, last };
}
