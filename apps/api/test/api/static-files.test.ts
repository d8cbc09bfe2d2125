import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

const bundle = '/docs/swagger-ui-bundle.js';

/** The bytes of the response: `fetch` would decompress them. */
async function download(
  path: string,
  acceptEncoding?: string,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const [response] = (await once(get(`${service.url}${path}`, { headers }), 'response')) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}

const asIs = (body: Buffer) => body;
it.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  [undefined, undefined, asIs],
  ['br;q=0, gzip;q=0', undefined, asIs],
  ['zstd', undefined, asIs],
])('a static file is sent to a client that accepts %s with the encoding %s', async (accepted, encoding, decompress) => {
  const plain = await download(bundle);
  expect(plain.body.length).toBeGreaterThan(1_000_000);
  const { headers, body } = await download(bundle, accepted);
  expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
  expect(headers['content-length']).toBe(String(body.length));
  expect(decompress(body).equals(plain.body)).toBe(true);
  if (encoding === undefined) return;
  expect(body.length).toBeLessThan(plain.body.length / 3);
  expect(headers.etag).not.toBe(plain.headers.etag);
});
