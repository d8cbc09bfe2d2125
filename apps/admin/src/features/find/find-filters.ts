import { foldName, minPartLength, type PetStatus, petStatuses } from '@petstore/contracts';
import { statusOf } from '@petstore/import-export/status-words.js';
import { type FilterSearch, parseFilter } from '../../shared/filter-search.js';
import { statusLabels } from '../../shared/format.js';
import type { CategoryNames } from '../../shared/store-info.js';

/** A page or an action. */
export interface FindCommand {
  label: string;
  /** Its shortcut. */
  key?: string;
  run: () => void;
}

const maxCategories = 3;

/** All without a text, else those with words that begin with its words. */
export function findCommands(text: string, commands: readonly FindCommand[]): readonly FindCommand[] {
  if (text === '') return commands;
  const words = wordsOf(text);
  return commands.filter(({ label }) => wordsNaming(label, words).length === words.length);
}

/**
 * The filters that words of a text name, with its other words as the search: "luna cats" is "luna" in Cats. At most three
 * categories that share the most words with the text; without one, a status.
 */
export function findFilters(text: string, names: CategoryNames): FilterSearch[] {
  const words = wordsOf(text);
  const { status, statusWords } = findStatus(words);
  const others = words.filter((word) => !statusWords.includes(word));
  const categories = [...names].map(([id, name]) => ({ category: String(id), naming: wordsNaming(name, others) }));
  const most = Math.max(1, ...categories.map(({ naming }) => naming.length));
  const found = categories.filter(({ naming }) => naming.length === most).slice(0, maxCategories);
  if (status && found.length === 0) return [parseFilter({ q: others.join(' '), status })];
  return found.map(({ category, naming }) => {
    const q = others.filter((word) => !naming.includes(word)).join(' ');
    return parseFilter({ q, category, status });
  });
}

/** By a whole word, such as "on hold" or "verkauft", or by the beginning of a label. */
function findStatus(words: readonly string[]): { status?: PetStatus | undefined; statusWords: readonly string[] } {
  const phrases = words.flatMap((_, start) => [3, 2, 1].map((length) => words.slice(start, start + length)));
  const phrase = phrases.find((one) => statusOf(one.join(' ')));
  if (phrase) return { status: statusOf(phrase.join(' ')), statusWords: phrase };
  const status = petStatuses.find((name) => wordsNaming(statusLabels[name], words).length > 0);
  return { status, statusWords: status ? wordsNaming(statusLabels[status], words) : [] };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * The words that begin a word of a label, or are its plural: "guin p" names Guinea pigs. One of them has three letters or is
 * a whole word.
 */
function wordsNaming(label: string, words: readonly string[]): string[] {
  const parts: readonly string[] = foldName(label).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const found = words.filter((word) => {
    const folded = foldName(word);
    return parts.some((part) => part.startsWith(folded) || [`${part}s`, `${part}es`].includes(folded));
  });
  const isCertain = found.some((word) => Array.from(word).length >= minPartLength || parts.includes(foldName(word)));
  return isCertain ? found : [];
}
