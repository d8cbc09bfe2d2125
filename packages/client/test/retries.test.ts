import { describe, expect, it } from 'vitest';
import { clientOf, clientOver, failureOf, newCategory, storedPets } from './support/clients.js';
import type { Fault, SeenRequest } from './support/faulty-link.js';

/** Faults that come one after the other; then there are no more. */
function oneByOne(...faults: Fault[]) {
  return ({ number }: SeenRequest) => faults[number - 1];
}

describe.concurrent('a retry', () => {
  it.each<[string, Fault]>([
    ['a connection that breaks', 'reset'],
    ['a lost answer', 'lose'],
    ['half an answer', 'truncate'],
    ['a late answer', { lateMs: 20_000 }],
    ['a late half of an answer', { lateMs: 20_000, half: true }],
    ['a 429', { status: 429 }],
    ['a 502', { status: 502, body: '<h1>Bad Gateway</h1>' }],
    ['a 503', { status: 503 }],
    ['a 504', { status: 504 }],
    ['a key in use', { status: 409, body: '{"code":"idempotency_key_in_use","message":"","status":409}' }],
  ])('follows %s, up to two times, and never makes a second animal', async (_, fault) => {
    const { client, link } = await clientOver(oneByOne(fault, fault), { timeoutMs: 2000 });
    const categoryId = newCategory();
    const pet = await client.createPet({ name: 'Rex', categoryId });
    expect(await storedPets(categoryId)).toEqual([pet]);
    expect(link.requests).toHaveLength(3);
    expect(new Set(link.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(link.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('follows for a list and for one animal too', async () => {
    const { client, link } = await clientOver(({ number }) => (number % 2 === 1 ? 'lose' : undefined));
    const pet = await clientOf().createPet({ name: 'Rex', categoryId: newCategory() });
    expect(await client.getPet(pet.id)).toEqual(pet);
    expect((await client.listPets({ order: 'desc', limit: 1 }).page()).pets).toHaveLength(1);
    expect(link.requests).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 413, 415, 422, 500])('does not follow a %d', async (status) => {
    const { client, link } = await clientOver(() => ({ status }));
    expect(await failureOf(client.createPet({ name: 'Rex', categoryId: 1n }))).toMatchObject({ status });
    expect(link.requests).toHaveLength(1);
  });

  it('is made as often as was asked for', async () => {
    const { client, link } = await clientOver(() => 'reset', { retries: 1 });
    await failureOf(client.getPet(1n));
    expect(link.requests).toHaveLength(2);
  });
});

describe.concurrent('Retry-After', () => {
  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2000).toUTCString()],
  ])('is obeyed: %s', async (_, value) => {
    const { client, link } = await clientOver(({ number }) =>
      number === 1 ? { status: 503, headers: { 'retry-after': value() } } : undefined,
    );
    await client.getPet(1n);
    const [first, second] = link.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
  });

  it.each([
    ['30 s', { seconds: 31, options: {} }],
    ['maxRetryAfterMs', { seconds: 2, options: { maxRetryAfterMs: 1999 } }],
    ['none at all', { seconds: 1, options: { maxRetryAfterMs: 0 } }],
  ])('of more than %s is left to the caller, who is told at once', async (_, { seconds, options }) => {
    const busy = { status: 429, headers: { 'retry-after': String(seconds) } };
    const { client, link } = await clientOver(() => busy, options);
    expect(await failureOf(client.getPet(1n))).toMatchObject({ status: 429, retryAfter: seconds });
    expect(link.requests).toHaveLength(1);
  });

  it('is obeyed up to maxRetryAfterMs', async () => {
    const busy = { status: 503, headers: { 'retry-after': '1' } };
    const { client, link } = await clientOver(oneByOne(busy), { maxRetryAfterMs: 1000 });
    await client.getPet(1n);
    expect(link.requests).toHaveLength(2);
  });
});
