import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { onlyResponse } from '../support/raw-http.js';
import { startOn, useTestApp } from '../support/test-app.js';

const service = useTestApp();

describe('/docs', () => {
  it('is a public page that loads only files of this service, which all exist', async () => {
    const { status, headers, text } = await service.anonymous.get('/docs');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html', 'no-cache']);
    expect(text).toContain('<div id="swagger-ui">');
    const urls = [...text.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)=["']([^"']+)/g)].map(([, url = '']) => url);
    const paths = urls.map((url) => new URL(url, `${service.url}/docs`).href.replace(service.url, ''));
    expect(paths).toEqual(expect.arrayContaining(['/docs/swagger-ui-init.js', '/docs/plugin.js', '/docs/theme.css']));
    for (const path of paths) {
      const response = await service.anonymous.get(path);
      expect([path, response.status, response.text.length > 100]).toEqual([path, 200, true]);
    }
    expect((await service.anonymous.get('/docs/swagger-ui-init.js')).text).toContain('"validatorUrl": null');
    // The security headers block inline scripts.
    expect(text).not.toMatch(/<script[^>]*>\s*\S[^<]*<\/script>|\son\w+=|javascript:/i);
  });

  it('is at one address', async () => {
    const others = ['/docs/', '/Docs', '/docs/LICENSE', '/docs/index.css', '/docs/swagger-ui.css.br'];
    const paths = ['/docs/index.html', ...others];
    const responses = await Promise.all(paths.map((path) => fetch(`${service.url}${path}`, { redirect: 'manual' })));
    expect(responses.map(({ status }) => status)).toEqual([302, 404, 404, 404, 404, 404]);
    expect(responses[0]?.headers.get('location')).toBe('/docs');
  });
});

describe('the OpenAPI document', () => {
  const types = { '/openapi.json': 'application/json', '/openapi.yaml': 'application/yaml' };

  it.each(Object.entries(types))(
    'is public at %s, by HEAD and with its ETag too, and readable from any origin',
    async (path, type) => {
      const { status, headers } = await service.anonymous.get(path, { origin: 'https://editor.example.com' });
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, 'no-cache']);
      expect(headers.get('vary')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe('ETag');
      expect((await service.anonymous.head(path)).status).toBe(200);
      const tags = { 'if-none-match': headers.get('etag') ?? '' };
      const again = await service.anonymous.get(path, tags);
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers.get('access-control-allow-origin')).toBe('*');
      expect((await service.anonymous.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  describe('names as server', () => {
    /** The address of the server in both forms of the document, for a request with these headers. */
    const serverFor = async (headers: string[], on = service, version = '1.1') => {
      const urls = Object.keys(types).map(async (path) => {
        const head = [`GET ${path} HTTP/${version}`, 'Connection: close', ...headers];
        const { status, text } = await onlyResponse(on.url, `${head.join('\r\n')}\r\n\r\n`);
        expect(status).toBe(200);
        return (parse(text) as { servers: { url: string }[] }).servers.map(({ url }) => url).join();
      });
      const [inJson, inYaml] = await Promise.all(urls);
      expect(inYaml).toBe(inJson);
      return inJson;
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
