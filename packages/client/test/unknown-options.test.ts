import { describe, expect, it } from 'vitest';
import type { PetstoreClient } from '../src/index.js';
import { listOptionNames } from '../src/pet-list.js';
import { clientOnLink, failureOf } from './support/clients.js';

// Options of plain JavaScript, which no compiler checks.
const misspelled = (options: object) => options as never;

describe('an option that does not exist is rejected with the options that do', () => {
  const ofRequest = 'Options: signal, timeoutMs, headers';
  it.each<[string, string, (client: PetstoreClient) => unknown]>([
    [
      '`state` is not an option of listPets.',
      `Options: ${Object.keys(listOptionNames).join(', ')}.`,
      (client) => client.listPets(misspelled({ state: 'sold' })),
    ],
    [
      '`timeout` is not an option of a request.',
      `${ofRequest}.`,
      (client) => client.listPets({}, misspelled({ timeout: 1000 })),
    ],
    [
      '`idempotency` is not an option of createPet.',
      `${ofRequest}, idempotencyKey.`,
      (client) => client.createPet({ name: 'Rex', categoryId: 1n }, misspelled({ idempotency: 'a' })),
    ],
    [
      '`timeout` is not an option of getPet.',
      `${ofRequest}.`,
      (client) => client.getPet(1n, misspelled({ timeout: 1000 })),
    ],
  ])('%s', async (problem, options, use) => {
    const { client, link } = await clientOnLink(() => undefined);
    const failure = await failureOf(Promise.resolve(client).then(use));
    expect(failure).toEqual(new TypeError(`${problem} ${options}`));
    expect(link.requests).toEqual([]);
  });
});
