import { describe, expect, it } from 'vitest';
import { categoryLabel, readCategory, sortByMatch, validateCategory } from '../src/shared/category-input.js';

const names = new Map([
  [7n, 'Rabbits'],
  [8n, 'Fish'],
  [9n, 'Goldfish'],
  [10n, 'Guinea pigs'],
  [11n, 'Dogs'],
]);

describe('readCategory', () => {
  it.each([
    ['7', 7n],
    ['+7', 7n],
    ['-42', -42n],
    ['Category -5', -5n],
    ['category  -5 ', -5n],
    ['Category 1,000', 1000n],
    ['1,000', 1000n],
    ['1 000', 1000n],
    ["1'000", 1000n],
    ['9223372036854775807', 9223372036854775807n],
    ['rabbits', 7n],
    ['Rabbits (7)', 7n],
    ['ra', 7n],
    [' FISH ', 8n],
    ['go', 9n],
  ])('reads %j', (text, id) => {
    expect(readCategory(text, names)).toBe(id);
  });

  it.each(['', 'g', 'x', '1.000', '1.5', '1e3', '9223372036854775808', 'og'])('does not read %j', (text) => {
    expect(readCategory(text, names)).toBeUndefined();
  });
});

it('readCategory prefers a name to the words for a category without one', () => {
  const named = new Map([[9n, 'Category 5']]);
  expect([readCategory('category 5', named), readCategory('category 6', named)]).toEqual([9n, 6n]);
});

describe('readCategory with other letters and spaces', () => {
  const store = new Map([
    [1n, 'Mäuse'],
    [2n, 'A\u030Angstro\u0308m\u00A0fish'],
    [3n, 'Kühe'],
    [4n, 'Kuhe'],
    [5n, 'Straußen'],
  ]);
  it.each([
    ['mause', 1n],
    ['Ma\u0308use', 1n],
    ['Ångström fish', 2n],
    ['ångström  fish', 2n],
    ['angst', 2n],
    ['Kühe', 3n],
    ['kuhe', 4n],
    ['strauss', 5n],
    ['kuh', undefined],
  ])('reads %j as the header finds it', (text, id) => {
    expect(readCategory(text, store)).toBe(id);
  });

  it('lists them', () => {
    expect(sortByMatch([...store.values()], 'angstro\u0308m  f', (name) => name)).toEqual([store.get(2n)]);
    expect(sortByMatch([...store.values()], 'kuh', (name) => name)).toEqual(['Kühe', 'Kuhe']);
  });
});

describe('categoryLabel', () => {
  it('has the number only where the name could mean another category', () => {
    const unclear = new Map([
      [7n, 'Rabbits'],
      [8n, 'Fish'],
      [9n, 'fish '],
      [10n, '12'],
    ]);
    const labels = [7n, 8n, 9n, 10n, 12n].map((id) => categoryLabel(id, unclear));
    expect(labels).toEqual(['Rabbits', 'Fish (8)', 'fish  (9)', '12 (10)', '12']);
    expect(labels.map((label) => readCategory(label, unclear))).toEqual([7n, 8n, 9n, 10n, 12n]);
  });
});

describe('validateCategory', () => {
  it.each([
    ['', names, 'Enter a category'],
    ['', new Map(), 'Enter a category number'],
    ['9223372036854775808', names, 'This category number is too long'],
    ['1.5', names, 'Category must be a whole number'],
    ['seven', new Map(), 'Category must be a whole number'],
    ['Dragons', names, 'No category is called “Dragons”. Choose one from the list, or enter its number'],
    ['rab', names, null],
  ])('of %j', (text, known, message) => {
    expect(validateCategory(text, known)).toBe(message);
  });
});

describe('sortByMatch', () => {
  const labels = [...names.keys()].map((id) => categoryLabel(id, names));

  it('lists beginnings first, then beginnings of words, then other parts', () => {
    const search = (text: string) => sortByMatch(labels, text, (label) => label);
    expect(search('g')).toEqual(['Goldfish', 'Guinea pigs', 'Dogs']);
    expect(search('p')).toEqual(['Guinea pigs']);
    expect(search('fish')).toEqual(['Fish', 'Goldfish']);
    expect(search('')).toEqual(labels);
  });
});
