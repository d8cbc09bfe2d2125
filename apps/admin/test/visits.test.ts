import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterVisit, noteUpdate, readVisits } from '../src/shared/known-pets/visits.js';

const noon = new Date(2026, 5, 1, 12).getTime();
const minutes = (count: number) => count * 60_000;
const mark = (id: number, at: number) => ({ id: String(id), at });

describe('the first update of a day', () => {
  beforeEach(() => {
    const items = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => items.get(name) ?? null,
      setItem: (name: string, value: string) => items.set(name, value),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('stays until the next day', () => {
    noteUpdate(7n, noon);
    noteUpdate(9n, noon + minutes(60));
    expect(readVisits().day).toEqual(mark(7, noon));
    // What the device kept from an earlier day.
    noteUpdate(3n, noon - minutes(24 * 60));
    expect(readVisits().day).toEqual(mark(7, noon));
    noteUpdate(11n, noon + minutes(24 * 60));
    expect(readVisits().day).toEqual(mark(11, noon + minutes(24 * 60)));
  });
});

describe('the visit before', () => {
  it('is the last look at least half an hour ago', () => {
    const first = afterVisit({}, mark(7, noon));
    expect(first.previous).toBeUndefined();
    const soon = afterVisit(first, mark(8, noon + minutes(10)));
    expect(soon.previous).toBeUndefined();
    const later = afterVisit(soon, mark(12, noon + minutes(50)));
    expect(later.previous).toEqual(mark(8, noon + minutes(10)));
    expect(afterVisit(later, mark(13, noon + minutes(55))).previous).toEqual(mark(8, noon + minutes(10)));
  });
});
