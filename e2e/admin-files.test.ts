import { beforeAll, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});

const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
const read = (path: string, headers: Record<string, string>) => fetch(`${store.service.url}${path}`, { headers });
const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));

it.each(['br', 'gzip'])(
  'the assets of the admin are compressed (%s), and browsers may cache them forever',
  async (encoding) => {
    const page = await (await read('/', { accept: html })).text();
    const assets = page.match(/\/assets\/[^"]+/g) ?? [];
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const response = await read(asset, { 'accept-encoding': encoding });
      const immutable = 'public, max-age=31536000, immutable';
      expect([asset, ...headersOf(response, 'content-encoding', 'cache-control')]).toEqual([
        asset,
        encoding,
        immutable,
      ]);
      expect(response.headers.get('content-type')).toMatch(/^(application\/javascript|text\/css); charset=utf-8$/);
    }
  },
);

it.each(['/', '/pets?status=sold', '/pets/new', '/pets/42', '/overview', '/docs/nowhere'])(
  'the admin is the page at %s',
  async (path) => {
    const response = await read(path, { accept: html });
    const headers = headersOf(response, 'content-type', 'cache-control');
    expect([response.status, ...headers]).toEqual([200, 'text/html; charset=utf-8', 'no-cache']);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(await response.text()).toContain('id="root"');
  },
);

it.each([
  ['a missing asset', '/assets/missing.js', html, 404],
  ['a missing file', '/favicon.ico', html, 404],
  ['a path, without text/html in Accept', '/pets/42', 'application/json', 404],
  ['a path, with text/html excluded by Accept', '/nowhere', 'text/html;q=0, */*', 404],
  ['a path of the API', '/v1/nowhere', html, 401],
  ['a path with invalid encoding', '/%ff', html, 400],
])('the admin is not the response to %s', async (_what, path, accept, status) => {
  const response = await read(path, { accept });
  expect([response.status, ...headersOf(response, 'content-type')]).toEqual([status, 'application/json']);
  expect(Object.keys((await response.json()) as object)).toEqual(['code', 'message', 'status']);
});
