import { describe, expect, it } from 'vitest';
import { knownText } from '../src/shared/known-pets/known-text.js';

const updatedAt = new Date().setHours(14, 2);
const state = { searched: 1240, isComplete: false, isLimitReached: false, isUpdating: true };

describe('what a device knows', () => {
  it('is named with its age, while it is read, and when it is not the whole store', () => {
    expect(knownText({ ...state, total: 3000 })).toBe('Searched 1,240 of about 3,000 animals so far…');
    const complete = { ...state, isComplete: true, updatedAt };
    expect(knownText(complete, 'Counted')).toMatch(/^Counted 1,240 animals, updated (?:14|0?2):02/);
    expect(knownText({ ...complete, searched: 1 })).toMatch(/^Searched 1 animal, updated /);
    expect(knownText({ ...complete, searched: 100_000, isLimitReached: true })).toMatch(
      /^Searched the newest 100,000 animals, updated /,
    );
  });
});
