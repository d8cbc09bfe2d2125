import type { LinkFault, SeenRequest } from '@petstore/test-kit/faulty-link.js';
import { describe, expect, it } from 'vitest';
import { clientOf, clientOnLink, failureOf, newCategory, storedPets } from './support/clients.js';

/** Applies one fault per request, then none. */
function oneByOne(...faults: LinkFault[]) {
  return ({ number }: SeenRequest) => faults[number - 1];
}

describe.concurrent('a retry', () => {
  // A late response does not come before the test ends. The last attempt must be in time, on a busy machine too.
  it.each<[string, LinkFault, timeoutMs?: number]>([
    ['a connection that breaks', 'reset'],
    ['a lost response', 'lose'],
    ['half a response', 'truncate'],
    ['a late response', { delayMs: 600_000 }, 3000],
    ['a response whose second half is late', { delayMs: 600_000, half: true }, 3000],
    ['a 429', { status: 429 }],
    ['a 502', { status: 502, body: '<h1>Bad Gateway</h1>' }],
    ['a 503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
    ['a 503', { status: 503 }],
    ['a 504', { status: 504 }],
    ...[520, 521, 522, 523, 524, 530].map((status): [string, LinkFault] => [`Cloudflare's ${status}`, { status }]),
    ['a key in use', { status: 409, body: '{"code":"idempotency_key_in_use","message":"","status":409}' }],
  ])('follows %s, up to two times, and creates no second animal', async (_, fault, timeoutMs = 60_000) => {
    const { client, link } = await clientOnLink(oneByOne(fault, fault), { timeoutMs });
    const categoryId = newCategory();
    const pet = await client.createPet({ name: 'Rex', categoryId });
    expect(await storedPets(categoryId)).toEqual([pet]);
    expect(link.requests).toHaveLength(3);
    expect(new Set(link.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(link.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('follows for a list and for a get', async () => {
    const { client, link } = await clientOnLink(({ number }) => (number % 2 === 1 ? 'lose' : undefined));
    const pet = await clientOf().createPet({ name: 'Rex', categoryId: newCategory() });
    expect(await client.getPet(pet.id)).toEqual(pet);
    expect((await client.listPets({ order: 'desc', limit: 1 }).page()).pets).toHaveLength(1);
    expect(link.requests).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 413, 415, 422, 500, 519, 525, 531])('does not follow a %d', async (status) => {
    const { client, link } = await clientOnLink(() => ({ status }));
    expect(await failureOf(client.createPet({ name: 'Rex', categoryId: 1n }))).toMatchObject({ status });
    expect(link.requests).toHaveLength(1);
  });
});
