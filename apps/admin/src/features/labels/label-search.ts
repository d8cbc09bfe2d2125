import { petStatuses } from '@petstore/contracts';

/** Which animals get labels. `test` prints a test page. */
export const animalChoices = ['numbers', 'imported', 'all', ...petStatuses, 'test'] as const;
export type AnimalChoice = (typeof animalChoices)[number];

/** The address. `numbers` is what the person typed, for example "12, 15-20". */
export interface LabelSearch {
  animals?: AnimalChoice;
  numbers?: string;
}

export function parseLabelSearch({ animals, numbers }: Record<string, unknown>): LabelSearch {
  const choice = animalChoices.find((name) => name === animals);
  if (choice) return { animals: choice };
  return typeof numbers === 'string' && numbers !== '' ? { numbers } : {};
}
