import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
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

describe('a static file', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is sent compressed to a client that accepts %s: %s', async (accepted, encoding, decompress) => {
    const plain = await download(bundle);
    const { headers, body } = await download(bundle, accepted);
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
    expect(headers['content-length']).toBe(String(body.length));
    expect(body.length).toBeLessThan(plain.body.length / 3);
    expect(decompress(body).equals(plain.body)).toBe(true);
    expect(headers.etag).not.toBe(plain.headers.etag);
  });

  it.each([undefined, 'br;q=0, gzip;q=0', 'zstd'])(
    'is sent uncompressed to a client that accepts %s',
    async (accepted) => {
      const { headers, body } = await download(bundle, accepted);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
      expect(body.length).toBeGreaterThan(1_000_000);
    },
  );
});
