import { describe, expect, it } from 'vitest';
import { PetstoreClient } from '../src/index.js';
import { clientOf, clientOnLink } from './support/clients.js';

// Options of plain JavaScript, which no compiler checks.
const misspelled = (options: object) => options as never;

describe('an option that does not exist is rejected with the options that do', () => {
  it('of the client', () => {
    expect(() => new PetstoreClient(misspelled({ baseURL: 'http://localhost:3000/v1', apiKey: 'psk_secret' }))).toThrow(
      new TypeError(
        '`baseURL` is not an option of PetstoreClient. ' +
          'Options: baseUrl, apiKey, fetch, timeoutMs, retries, maxRetryAfterMs, onAttempt, onWait.',
      ),
    );
  });

  it('of a list, which would return every animal', () => {
    expect(() => clientOf().listPets(misspelled({ state: 'sold' }))).toThrow(
      new TypeError(
        '`state` is not an option of listPets. Options: status, categoryId, q, limit, order, after, count.',
      ),
    );
  });

  it('of the request of a list', () => {
    expect(() => clientOf().listPets({}, misspelled({ timeout: 1000 }))).toThrow(
      new TypeError('`timeout` is not an option of a request. Options: signal, timeoutMs, headers, requestId.'),
    );
  });

  it('of a create and of a get, before they send a request', async () => {
    const { client, link } = await clientOnLink(() => undefined);
    await expect(client.createPet({ name: 'Rex', categoryId: 1n }, misspelled({ idempotency: 'a' }))).rejects.toThrow(
      new TypeError(
        '`idempotency` is not an option of createPet. Options: signal, timeoutMs, headers, requestId, idempotencyKey.',
      ),
    );
    await expect(client.getPet(1n, misspelled({ timeout: 1000 }))).rejects.toThrow(
      new TypeError('`timeout` is not an option of getPet. Options: signal, timeoutMs, headers, requestId.'),
    );
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
