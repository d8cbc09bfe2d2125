import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatTime } from '../src/shared/format.js';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 20, 15, 0) }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a time', () => {
  it.each([
    ['de-DE', '14:02', '19.11.26, 14:02'],
    ['en-US', '2:02 PM', '11/19/26, 2:02 PM'],
    ['en-GB', '14:02', '19/11/2026, 14:02'],
    ['fi-FI', '14.02', '19.11.2026 klo 14.02'],
  ])('has the form of the language of the browser, with the date on another day: %s', (language, today, yesterday) => {
    vi.stubGlobal('navigator', { languages: [language] });
    const shown = [20, 19].map((day) => formatTime(new Date(2026, 10, day, 14, 2).getTime()));
    expect(shown.map((text) => text.replaceAll('\u202F', ' '))).toEqual([today, yesterday]);
  });
});
