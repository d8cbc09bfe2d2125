import { describe, expect, inject, it } from 'vitest';
import type { Attempt, Wait } from '../src/index.js';
import { clientOnLink, newCategory } from './support/clients.js';

describe('onAttempt', () => {
  it('receives each attempt of an operation with its outcome', async () => {
    const attempts: Attempt[] = [];
    const { client, link } = await clientOnLink(
      ({ number }) => (number === 1 ? 'lose' : number === 2 ? { status: 503 } : undefined),
      { onAttempt: (attempt) => attempts.push(attempt) },
    );
    await client.createPet({ name: 'Rex', categoryId: newCategory() });
    const request = { method: 'POST', url: `${link.baseUrl}/pets`, durationMs: expect.any(Number) as number };
    expect(attempts).toEqual([
      { ...request, number: 1, status: undefined, requestId: undefined, error: expect.any(TypeError) as TypeError },
      { ...request, number: 2, status: 503, requestId: undefined, error: undefined },
      { ...request, number: 3, status: 201, requestId: expect.any(String) as string, error: undefined },
    ]);
    expect(JSON.stringify(attempts)).not.toContain(inject('apiKey'));
  });
});

describe('onWait', () => {
  it('receives each Retry-After that the client waits for', async () => {
    const waits: Wait[] = [];
    const { client } = await clientOnLink(
      ({ number }) => (number < 3 ? { status: 429, headers: { 'retry-after': '1' } } : undefined),
      { onWait: (wait) => waits.push(wait) },
    );
    await client.getPet(1n);
    const wait = { seconds: 1, status: 429 };
    expect(waits).toEqual([wait, wait]);
  });
});
