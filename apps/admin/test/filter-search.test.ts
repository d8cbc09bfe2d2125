import { describe, expect, it } from 'vitest';
import { parseFilter, searchText } from '../src/shared/filter-search.js';

describe('the words of a search', () => {
  it.each([
    ['  black   rabbit ', 'black rabbit'],
    ['a b c d e f g h i j', 'a b c d e f g h'],
    ['a\tb\u00a0c', 'a b c'],
    [`a${'🐇'.repeat(100)}`, `a${'🐇'.repeat(99)}`],
    ['a\0b', 'a b'],
    [`${'x'.repeat(99)} y`, 'x'.repeat(99)],
    [' \0 ', ''],
    ['Tom & Jerry -', 'Tom Jerry'],
    ['a - b - c - d - e - f - g - h - i', 'a b c d e f g h'],
    [`${'🐇'.repeat(100)}x y`, ''],
    ['& 🐇', ''],
  ])('are as many as the service accepts: %j', (text, words) => {
    expect(searchText(text)).toBe(words);
  });
});

describe('the filter of an address', () => {
  it.each([
    [{ q: ' ' }, {}],
    [{ q: '-' }, {}],
    [{ q: ['a', 'b'] }, {}],
    [
      { category: '7', status: 'sold' },
      { category: ['7'], status: 'sold' },
    ],
    [{ category: ['007', '7', '-3', 'x', '9223372036854775808'] }, { category: ['7', '-3'] }],
    [{ since: '12', status: 'eaten' }, {}],
  ])('has only what is a filter: %j', (params, filter) => {
    expect(parseFilter(params)).toEqual(filter);
  });

  it('has at most 20 categories', () => {
    const category = Array.from({ length: 25 }, (_, index) => String(index));
    expect(parseFilter({ category }).category).toEqual(category.slice(0, 20));
  });
});
