import { get } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let assets: string[];

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n });
  const page = (await read('/')).body.toString();
  assets = page.match(/\/assets\/[^"]+/g) ?? [];
});

interface File {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The response without decompression. */
function read(path: string, headers: Record<string, string> = {}): Promise<File> {
  return new Promise((resolve, reject) => {
    get(`${store.service.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    }).on('error', reject);
  });
}

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the admin', () => {
  it.each(['br', 'gzip'])('serves compressed assets (%s) that browsers may cache forever', async (encoding) => {
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const { headers, body } = await read(asset, { 'accept-encoding': encoding });
      expect([asset, headers['content-encoding'], headers['cache-control']]).toEqual([
        asset,
        encoding,
        'public, max-age=31536000, immutable',
      ]);
      expect(headers['content-type']).toMatch(/^(application\/javascript|text\/css); charset=utf-8$/);
      const plain = (await read(asset)).body.length;
      // The smallest files hardly shrink.
      expect(body.length).toBeLessThan(plain < 1000 ? plain : plain / 2);
    }
  });

  it.each(['/', '/pets?status=sold', '/pets/new', '/pets/42', '/overview', '/docs/nowhere'])(
    'serves its page at %s',
    async (path) => {
      const { status, headers, body } = await read(path, html);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(headers['content-security-policy']).toContain("script-src 'self';");
      expect(body.toString()).toContain('id="root"');
    },
  );

  it.each([
    ['a missing asset', '/assets/missing.js', html, 404],
    ['a missing file', '/favicon.ico', html, 404],
    ['a path, without text/html in Accept', '/pets/42', { accept: 'application/json' }, 404],
    ['a path, without Accept', '/nowhere', {}, 404],
    ['a path, with text/html excluded by Accept', '/nowhere', { accept: 'text/html;q=0, */*' }, 404],
    ['a path of the API', '/v1/nowhere', html, 401],
    ['a path with invalid encoding', '/%ff', html, 400],
  ])('does not serve its page for %s', async (_what, path, headers, status) => {
    const response = await read(path, headers);
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/json']);
    expect(Object.keys(JSON.parse(response.body.toString()) as object)).toEqual(['code', 'message', 'status']);
  });
});
