import { describe, expect, it } from 'vitest';
import { onlyResponse } from '../support/raw-http.js';
import { startOn, useTestApp } from '../support/test-app.js';

const service = useTestApp();

describe('/docs', () => {
  it('is a public page that loads only files of this service, which all exist', async () => {
    const { status, headers, text } = await service.anonymous.get('/docs');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(text).toContain('<div id="swagger-ui">');
    const urls = [...text.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)=["']([^"']+)/g)].map(([, url = '']) => url);
    const paths = urls.map((url) => new URL(url, `${service.url}/docs`).href.replace(service.url, ''));
    expect(paths).toEqual(expect.arrayContaining(['/docs/page.js', '/docs/theme.css']));
    for (const path of paths) {
      const response = await service.anonymous.get(path);
      expect(response.status, path).toBe(200);
      expect(response.text.length, path).toBeGreaterThan(100);
    }
    expect((await service.anonymous.get('/docs/page.js')).text).toContain('validatorUrl: null');
    // The security headers block inline scripts.
    expect(text).not.toMatch(/<script[^>]*>\s*\S[^<]*<\/script>|\son\w+=|javascript:/i);
  });

  const others = ['/docs/', '/Docs', '/docs/LICENSE', '/docs/index.css', '/docs/swagger-ui.css.br'];
  it.each(others)('is at one address: %s is not found', async (path) => {
    expect((await service.anonymous.get(path)).status).toBe(404);
  });
});

describe('the OpenAPI document', () => {
  it('is public, by HEAD and with its ETag too, and readable from any origin', async () => {
    const { status, headers } = await service.anonymous.get('/openapi.json', { origin: 'https://editor.example.com' });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
    });
    expect(headers.get('vary')).toBeNull();
    expect((await service.anonymous.head('/openapi.json')).status).toBe(200);
    const tags = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await service.anonymous.get('/openapi.json', tags);
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
    expect((await service.anonymous.get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  describe('names as server', () => {
    /** The addresses of the servers in the document, for a request with these headers. */
    const serverFor = async (headers: string[], on = service, version = '1.1') => {
      const head = [`GET /openapi.json HTTP/${version}`, 'Connection: close', ...headers];
      const { status, text } = await onlyResponse(on.url, `${head.join('\r\n')}\r\n\r\n`);
      expect(status).toBe(200);
      return (JSON.parse(text) as { servers: { url: string }[] }).servers.map(({ url }) => url).join();
    };

    it.each([
      ['store.example:3000', 'http://store.example:3000/v1'],
      ['[::1]:3000', 'http://[::1]:3000/v1'],
    ])('the address of the request: Host %s', async (host, server) => {
      expect(await serverFor([`Host: ${host}`])).toBe(server);
    });

    it('the relative address for a request without one', async () => {
      expect(await serverFor([], service, '1.0')).toBe('/v1');
    });

    it('the address that only a trusted proxy forwards', async () => {
      const forwarded = ['Host: petstore:3000', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: store.example'];
      const behindProxy = await startOn(service.databaseUrl, { trustProxy: ['loopback'] });
      expect(await serverFor(forwarded, behindProxy)).toBe('https://store.example/v1');
      expect(await serverFor(['Host: petstore:3000'], behindProxy)).toBe('http://petstore:3000/v1');
      for (const unusable of ['X-Forwarded-Host: "', 'X-Forwarded-Proto: "', 'X-Forwarded-Host: $1/v1']) {
        expect(await serverFor(['Host: a.example', unusable], behindProxy)).toBe('/v1');
      }
      expect(await serverFor(forwarded)).toBe('http://petstore:3000/v1');
    });

    it('PUBLIC_BASE_URL and STAGING_BASE_URL if they are set', async () => {
      const [publicBaseUrl, stagingBaseUrl] = ['https://api.example.com/v1', 'https://staging.example.com/v1'];
      const configured = await startOn(service.databaseUrl, { publicBaseUrl, stagingBaseUrl });
      expect(await serverFor(['Host: a.example'], configured)).toBe(`${publicBaseUrl},${stagingBaseUrl}`);
    });
  });
});
