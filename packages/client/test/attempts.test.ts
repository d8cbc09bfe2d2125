import { describe, expect, inject, it, vi } from 'vitest';
import type { Attempt } from '../src/index.js';
import { clientOf, clientOnLink, failureOf, newCategory } from './support/clients.js';

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

  it('receives an AbortError after a timeout', async () => {
    const attempts: Attempt[] = [];
    const { client } = await clientOnLink(() => ({ delayMs: 600_000 }), {
      retries: 0,
      onAttempt: (attempt) => attempts.push(attempt),
    });
    await failureOf(client.getPet(1n, { timeoutMs: 100 }));
    expect(attempts).toMatchObject([{ number: 1, status: undefined, error: { name: 'AbortError' } }]);
  });

  it('does not change the outcome of the operation when it throws', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    const fault = new Error('a fault of the callback');
    const client = clientOf({
      onAttempt: () => {
        throw fault;
      },
    });
    const pet = await client.createPet({ name: 'Rex', categoryId: newCategory() });
    await new Promise(setImmediate);
    process.off('unhandledRejection', onUnhandled);
    expect(pet).toMatchObject({ name: 'Rex' });
    expect(unhandled).toEqual([]);
    expect(logged.mock.calls).toEqual([['The callback onAttempt of PetstoreClient failed:', fault]]);
    logged.mockRestore();
  });
});
