import { describe, expect, it } from 'vitest';
import { toRepeatedAnimals } from '../src/features/import/import-rows.js';
import { PetIndex } from '../src/shared/known-pets/pet-index.js';

const animals = [
  { line: 2, name: 'Zoë', categoryId: 7n },
  { line: 3, name: 'Goldfish', categoryId: 8n },
  { line: 4, name: ' goldfish', categoryId: 8n },
  { line: 5, name: 'Goldfish', categoryId: 9n },
  { line: 6, name: 'ZOE', categoryId: 7n },
];

describe('repeats of an import', () => {
  it('are animals with the name and category of one in the store, or of an earlier row', () => {
    const index = new PetIndex();
    index.add([{ id: 12n, name: 'Zoé ', categoryId: 7n, status: 'sold' }]);
    const { existing, repeated } = toRepeatedAnimals(animals, index.compare(animals));
    expect(existing).toEqual([
      { line: 2, state: 'existing', name: 'Zoë', petId: 12n },
      { line: 6, state: 'existing', name: 'ZOE', petId: 12n },
    ]);
    expect(repeated).toEqual([{ line: 4, state: 'repeated', name: ' goldfish' }]);
  });
});
