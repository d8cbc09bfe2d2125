import type { ForeignResponse } from '@petstore/test-kit/faulty-link.js';
import { describe, expect, it } from 'vitest';
import type { ListOrder } from '../src/index.js';
import { clientOnLink } from './support/clients.js';

/** A page that no service of this API sends in a walk. */
function page(ids: readonly number[], next: string): ForeignResponse {
  const pets = ids.map((id) => ({ id, name: 'Rex', categoryId: 7, status: 'available' }));
  const headers = {
    'content-type': 'application/json',
    link: `</v1/pets?after=${next}>; rel="next"`,
    'x-request-id': `page-${ids.join('-')}`,
  };
  return { status: 200, headers, body: JSON.stringify(pets) };
}

/** A server with a page for each cursor, and the first one for an empty cursor. The walk ends after 20 requests. */
function server(pages: Record<string, ForeignResponse>) {
  return ({ number, path }: { number: number; path: string }) =>
    number > 20 ? { status: 400 } : pages[new URL(path, 'http://any').searchParams.get('after') ?? ''];
}

describe('an iteration over a list', () => {
  it.each<[string, ListOrder, Record<string, ForeignResponse>, number[]]>([
    ['is the page itself', 'asc', { '': page([1, 2], 'a'), a: page([1, 2], 'a') }, [1, 2]],
    [
      'leads back to an earlier page',
      'desc',
      { '': page([4, 3], 'b'), b: page([2, 1], 'a'), a: page([4, 3], 'b') },
      [4, 3, 2, 1],
    ],
    ['leads back from a page in no order', 'asc', { '': page([10, 1], 'b'), b: page([5, 2], 'a') }, []],
    ['is the same on a page without animals', 'asc', { '': page([1], 'b'), b: page([], 'b') }, [1]],
  ])('throws, and returns no animal twice, if `next` %s', async (_, order, pages, returned) => {
    const { client, link } = await clientOnLink(server(pages));
    const seen: number[] = [];
    const walk = async () => {
      for await (const { id } of client.listPets({ order })) seen.push(Number(id));
    };
    await expect(walk()).rejects.toMatchObject({
      code: 'unexpected_response',
      message: 'The list does not advance, so it may never end. A proxy may repeat a page.',
      requestId: expect.stringMatching(/^page-/) as string,
    });
    expect(seen).toEqual(returned);
    expect(link.requests.length).toBeLessThanOrEqual(3);
  });
});
