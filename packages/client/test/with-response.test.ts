import { describe, expect, it } from 'vitest';
import { clientOf, failureOf, newCategory, storedPets } from './support/clients.js';

const requestId = expect.stringMatching(/^[\w.-]+$/) as string;
const headers = expect.any(Headers) as Headers;

describe('withResponse', () => {
  it('of a create returns the animal, the request id and whether the animal existed already', async () => {
    const categoryId = newCategory();
    const options = { idempotencyKey: `delivery-${categoryId}` };
    const first = await clientOf().createPet({ name: 'Rex', categoryId }, options).withResponse();
    expect(first).toEqual({
      data: { id: expect.any(BigInt) as bigint, name: 'Rex', categoryId, status: 'available' },
      status: 201,
      headers,
      requestId,
      isReplayed: false,
    });
    expect(first.headers.get('location')).toBe(`/v1/pets/${first.data.id}`);
    const same = { name: 'Rex', categoryId, status: 'available' } as const;
    const second = await clientOf().createPet(same, options).withResponse();
    expect(second).toEqual({ ...first, headers, requestId, isReplayed: true });
    expect(second.requestId).not.toBe(first.requestId);
    expect(await storedPets(categoryId)).toEqual([first.data]);
    const got = await clientOf().getPet(first.data.id).withResponse();
    expect(got).toEqual({ data: first.data, status: 200, headers, requestId, isReplayed: false });
  });

  it('returns the headers of the rate limit, which are removed from errors that are retried', async () => {
    const sent = { 'content-type': 'application/json', 'ratelimit-reset': '57' };
    const fetch = async () => new Response('[]', { headers: sent });
    const counted = await clientOf({ fetch }).listPets().count().withResponse();
    expect(Object.fromEntries(counted.headers)).toEqual(sent);
  });

  it('rejects with the error of the operation, once', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    const error = await failureOf(clientOf().createPet({ name: '', categoryId: 1n }).withResponse());
    await new Promise(setImmediate);
    process.off('unhandledRejection', onUnhandled);
    expect(error).toMatchObject({ code: 'invalid_body' });
    expect(unhandled).toEqual([]);
  });
});
