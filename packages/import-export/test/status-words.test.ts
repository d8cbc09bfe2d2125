import { petStatuses } from '@petstore/contracts';
import { expect, it } from 'vitest';
import { foldWord, statusOf, statusWords } from '../src/status-words.js';

it.for(petStatuses)('each word for %s names it, also without accents and in capitals', (status) => {
  for (const word of statusWords[status].split(', ')) {
    for (const form of [word, foldWord(word), word.toUpperCase(), ` ${word}! `]) {
      expect({ form, status: statusOf(form) }).toEqual({ form, status });
    }
  }
});

it.for(['free', 'soldé', 'on sale', 'gone', '-', 'auf'])('%s names no status', (word) => {
  expect(statusOf(word)).toBeUndefined();
});
