import type { ListPetsOptions } from '@petstore/client';
import { maxCategoryIds, petStatuses } from '@petstore/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { toInt64, toText } from './arguments.js';

/** Which animals: every option of a list that is not its order or its pages. */
export type FilterFlags = Omit<ListPetsOptions, 'limit' | 'order' | 'after' | 'count'>;

// A new filter does not compile until it is here.
const options: Record<keyof FilterFlags, () => Option> = {
  status: () => new Option('--status <status>', 'only animals with this status').choices(petStatuses),
  categoryId: () =>
    new Option('--category-id <ids>', `only animals of this category, or of up to ${maxCategoryIds}: 7,9`).argParser(
      toCategoryIds,
    ),
  q: () =>
    new Option(
      '--q <words>',
      'only animals whose name has every word; case and accents do not matter, and a number also finds its animal',
    ).argParser(toText('Write a word of the name.')),
};

/** Adds the flags that filter animals. */
export function addFilterOptions(command: Command): Command {
  for (const option of Object.values(options)) command.addOption(option());
  return command;
}

/** The filter among the flags of a command. */
export function filterOf(flags: FilterFlags): FilterFlags {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => name in options));
}

/** A second flag adds categories: otherwise, the animals of the first one would be missing without a word. */
function toCategoryIds(text: string, previous: readonly bigint[] = []): bigint[] {
  const ids = [...previous, ...text.split(',').map(toInt64)];
  if (new Set(ids).size <= maxCategoryIds) return ids;
  throw new InvalidArgumentError(`Write at most ${maxCategoryIds} categories.`);
}
