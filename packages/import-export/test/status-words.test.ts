import { petStatuses } from '@petstore/contracts';
import { expect, it } from 'vitest';
import { foldWord, statusOf, statusWords } from '../src/status-words.js';

it('each word names one status, also without accents and in capitals', () => {
  for (const status of petStatuses) {
    for (const word of statusWords[status].split(', ')) {
      const forms = [word, foldWord(word), word.toUpperCase(), ` ${word}! `];
      expect([word, ...forms.map(statusOf)]).toEqual([word, status, status, status, status]);
    }
  }
});
