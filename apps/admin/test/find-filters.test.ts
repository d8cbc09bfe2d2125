import { describe, expect, it } from 'vitest';
import { findFilters } from '../src/features/find/find-filters.js';

const names = new Map([
  [1n, 'Cats'],
  [2n, 'Guinea pigs'],
  [3n, 'Guinea fowl'],
  [4n, 'Dog'],
  [5n, '猫'],
]);

describe('the filters that words name', () => {
  it.each([
    ['luna cats', [{ q: 'luna', category: ['1'] }]],
    ['cat LUNA', [{ q: 'LUNA', category: ['1'] }]],
    ['dogs', [{ category: ['4'] }]],
    ['guinea', [{ category: ['2'] }, { category: ['3'] }]],
    ['guinea p', [{ category: ['2'] }]],
    ['luna guin pigs', [{ q: 'luna', category: ['2'] }]],
    ['猫', [{ category: ['5'] }]],
    ['luna available', [{ q: 'luna', status: 'available' }]],
    ['luna verkauft', [{ q: 'luna', status: 'sold' }]],
    ['On hold cats luna', [{ q: 'luna', category: ['1'], status: 'pending' }]],
    ['luna à vendre', [{ q: 'luna', status: 'available' }]],
    ['luna in', []],
    ['verk', []],
    ['sold cats', [{ category: ['1'], status: 'sold' }]],
    ['luna & cats', [{ q: 'luna', category: ['1'] }]],
    ['ca', []],
    ['catty', []],
    ['luna', []],
    ['', []],
  ])('%s', (text, filters) => {
    expect(findFilters(text, names)).toEqual(filters);
  });
});
