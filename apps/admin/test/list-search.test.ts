import { expect, it } from 'vitest';
import { changeList, cursorOf, firstPage, nextPage, parseListSearch, previousPage } from '../src/shared/list-search.js';

it('the address has what the list has, and a page number from 2 with each cursor', () => {
  const search = { status: 'sold', limit: 50, order: 'asc', after: 'a.b', page: 3 };
  expect(parseListSearch({ ...search, limit: '50', page: '3', x: '1' })).toEqual(search);
  expect(parseListSearch({ status: 'eaten', limit: '7', order: 'desc', after: '', page: '9' })).toEqual({});
  for (const page of [undefined, '0', '-1', 'x', '1'])
    expect(parseListSearch({ after: 'a', page })).toEqual({ after: 'a', page: 2 });
});

it('pages go forward and back through the cursors of the address, which has their size', () => {
  const second = nextPage({ status: 'sold' }, 'a');
  const third = nextPage(second, 'b');
  expect(third).toEqual({ status: 'sold', limit: 20, after: 'a.b', page: 3 });
  expect(cursorOf(third)).toBe('b');
  expect(previousPage(third)).toEqual(second);
  expect(previousPage(second)).toEqual({ status: 'sold', limit: 20 });
  expect(previousPage({ status: 'sold' })).toBeUndefined();
  expect(changeList(third, { status: undefined, order: 'asc' })).toEqual({ limit: 20, order: 'asc' });
});

it('the address keeps 40 cursors: before them, only the first page remains', () => {
  let search = {};
  for (let page = 2; page <= 60; page += 1) search = nextPage(search, `c${page}`);
  let steps = 0;
  for (let back = previousPage(search); back; back = previousPage(back)) steps += 1;
  expect(steps).toBe(39);
  expect(firstPage(search)).toEqual({ limit: 20 });
});
