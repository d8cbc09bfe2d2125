import { describe, expect, it } from 'vitest';
import { PetstoreClient } from '../src/index.js';
import { clientOf, clientOnLink } from './support/clients.js';

// Options of plain JavaScript, which no compiler checks.
const misspelled = (options: object) => options as never;

const request = 'signal, timeoutMs, headers, requestId';

// For example, a list with a misspelled filter would return every animal.
describe('an option that does not exist is rejected with the options that do', () => {
  it.each<[string, (client: PetstoreClient) => unknown, string]>([
    [
      '`baseURL` is not an option of PetstoreClient',
      () => new PetstoreClient(misspelled({ baseURL: 'http://localhost:3000/v1' })),
      'baseUrl, apiKey, fetch, timeoutMs, retries, maxRetryAfterMs, onAttempt, onWait',
    ],
    [
      '`state` is not an option of listPets',
      (client) => client.listPets(misspelled({ state: 'sold' })),
      'status, categoryId, q, limit, order, after, count',
    ],
    [
      '`timeout` is not an option of a request',
      (client) => client.listPets({}, misspelled({ timeout: 1000 })),
      request,
    ],
    [
      '`idempotency` is not an option of createPet',
      (client) => client.createPet({ name: 'Rex', categoryId: 1n }, misspelled({ idempotency: 'a' })),
      `${request}, idempotencyKey`,
    ],
    ['`timeout` is not an option of getPet', (client) => client.getPet(1n, misspelled({ timeout: 1000 })), request],
  ])('%s', async (fault, use, options) => {
    const { client, link } = await clientOnLink(() => undefined);
    await expect(async () => use(client)).rejects.toThrow(new TypeError(`${fault}. Options: ${options}.`));
    expect(link.requests).toEqual([]);
  });
});

describe('an argument that is no object is rejected', () => {
  it.each([undefined, null, 'psk_secret'])('%s', async (argument) => {
    const value = argument as never;
    expect(() => new PetstoreClient(value)).toThrow(new TypeError('The options of PetstoreClient must be an object.'));
    await expect(clientOf().createPet(value)).rejects.toThrow(new TypeError('The new animal must be an object.'));
  });
});

describe('an unknown field of a new animal', () => {
  it('is rejected by the service', async () => {
    const create = clientOf().createPet(misspelled({ name: 'Rex', categoryId: 1n, state: 'sold' }));
    await expect(create).rejects.toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining('state') as string,
    });
  });
});
