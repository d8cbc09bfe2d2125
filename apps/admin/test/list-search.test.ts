import { describe, expect, it } from 'vitest';
import { cursorOf, firstPage, nextPage, parseListSearch, previousPage } from '../src/shared/list-search.js';

describe('parseListSearch', () => {
  it('reads what the address has, and drops what the list does not have', () => {
    expect(parseListSearch({ status: 'sold', limit: '50', order: 'asc', after: 'a.b', page: '3', x: '1' })).toEqual({
      status: 'sold',
      limit: 50,
      order: 'asc',
      after: 'a.b',
      page: 3,
    });
    expect(parseListSearch({ status: 'eaten', limit: '7', order: 'desc', after: '', page: '9' })).toEqual({});
    expect(parseListSearch({ limit: '20' })).toEqual({});
  });

  it('has a page number from 2 wherever there is a cursor', () => {
    for (const page of [undefined, '0', '-1', 'x', '1'])
      expect(parseListSearch({ after: 'a', page })).toEqual({ after: 'a', page: 2 });
  });
});

describe('pages', () => {
  it('go forward and back through the cursors of the address', () => {
    const second = nextPage({ status: 'sold' }, 'a');
    const third = nextPage(second, 'b');
    expect(third).toEqual({ status: 'sold', after: 'a.b', page: 3 });
    expect(cursorOf(third)).toBe('b');
    expect(previousPage(third)).toEqual(second);
    expect(previousPage(second)).toEqual({ status: 'sold' });
    expect(previousPage({ status: 'sold' })).toBeUndefined();
  });

  it('keep 40 cursors: before them, only the first page remains', () => {
    let search = {};
    for (let page = 2; page <= 60; page += 1) search = nextPage(search, `c${page}`);
    let steps = 0;
    for (let back = previousPage(search); back; back = previousPage(back)) steps += 1;
    expect(steps).toBe(39);
    expect(firstPage(search)).toEqual({});
  });
});
