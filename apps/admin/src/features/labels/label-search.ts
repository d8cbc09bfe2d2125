import { petStatuses } from '@petstore/contracts';
import { type FilterSearch, isSearch, parseFilter } from '../../shared/filter-search.js';

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
