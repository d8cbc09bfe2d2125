import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Api } from '../support/api.js';
import { onlyResponse, sendOne } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let anonymous: Api;
beforeAll(async () => {
  service = await startTestApp();
  anonymous = new Api(service.url);
});
afterAll(() => service.close());

describe('/docs', () => {
  it('is a public page', async () => {
    const { status, headers, text } = await anonymous.get('/docs');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html', 'no-cache']);
    expect(text).toContain('<div id="swagger-ui">');
  });

  it('loads only files of this service, and all of them exist', async () => {
    const { text } = await anonymous.get('/docs');
    const urls = [...text.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)=["']([^"']+)/g)].map(([, url = '']) => url);
    const paths = urls.map((url) => new URL(url, `${service.url}/docs`).href.replace(service.url, ''));
    expect(paths).toEqual(expect.arrayContaining(['/docs/swagger-ui-init.js', '/docs/plugin.js', '/docs/theme.css']));
    for (const path of paths) {
      const response = await anonymous.get(path);
      expect([path, response.status, response.text.length > 100]).toEqual([path, 200, true]);
    }
    // The security headers block inline scripts.
    expect(text).not.toMatch(/<script[^>]*>\s*\S[^<]*<\/script>|\son\w+=|javascript:/i);
  });

  it('is at one address', async () => {
    const paths = [
      '/docs/index.html',
      '/docs/',
      '/Docs',
      '/docs/LICENSE',
      '/docs/index.css',
      '/docs/swagger-ui.css.br',
    ];
    const responses = await Promise.all(paths.map((path) => fetch(`${service.url}${path}`, { redirect: 'manual' })));
    expect(responses.map(({ status }) => status)).toEqual([302, 404, 404, 404, 404, 404]);
    expect(responses[0]?.headers.get('location')).toBe('/docs');
  });

  it.each([
    ['/docs/plugin.js', /^application\/javascript/],
    ['/docs/swagger-ui-bundle.js', /^application\/javascript/],
    ['/docs/swagger-ui.css', /^text\/css/],
    ['/docs/theme.css', /^text\/css/],
    ['/docs/favicon-32x32.png', /^image\/png/],
  ])('serves %s with its media type and revalidation', async (path, type) => {
    const { headers } = await anonymous.get(path, { 'accept-encoding': 'gzip' });
    expect(headers.get('content-type')).toMatch(type);
    expect(headers.get('cache-control')).toBe('no-cache');
    const known = [`If-None-Match: ${headers.get('etag')}`, 'Accept-Encoding: gzip'];
    for (const method of ['GET', 'HEAD']) {
      const again = await sendOne(service.url, `${method} ${path} HTTP/1.1`, known);
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it('stores nothing in localStorage, can send requests, and shows the document of this service', async () => {
    const { text } = await anonymous.get('/docs/swagger-ui-init.js');
    expect(text).not.toContain('"persistAuthorization"');
    for (const setting of ['"swaggerUrl": "/openapi.json"', '"tryItOutEnabled": true', '"validatorUrl": null']) {
      expect(text).toContain(setting);
    }
  });
});

describe('the OpenAPI document', () => {
  const types = { '/openapi.json': 'application/json', '/openapi.yaml': 'application/yaml' };

  it.each(Object.entries(types))('is public at %s, by HEAD too, and readable from any origin', async (path, type) => {
    const { status, headers } = await anonymous.get(path, { origin: 'https://editor.example.com' });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, 'no-cache']);
    expect(headers.get('vary')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toBe('ETag');
    expect((await anonymous.head(path)).status).toBe(200);
  });

  it.each(Object.keys(types))('returns 304 for its ETag at %s', async (path) => {
    const { headers } = await anonymous.get(path);
    const tags = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await anonymous.get(path, tags);
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
    expect((await anonymous.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is the same document in YAML, with all digits', async () => {
    const { json } = await anonymous.get('/openapi.json');
    const { text } = await anonymous.get('/openapi.yaml');
    expect(text).toContain('maximum: 9223372036854775807\n');
    expect(text).toContain('minimum: -9223372036854775808\n');
    const exact = (value: unknown) =>
      JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? String(member) : member));
    expect(exact(parse(text, { intAsBigInt: true }))).toBe(exact(json));
  });

  describe.each(Object.keys(types))('at %s names as server', (path) => {
    /** The address of the server, for a request with these headers. */
    const serverFor = async (headers: string[], on = service, version = '1.1') => {
      const head = [`GET ${path} HTTP/${version}`, 'Connection: close', ...headers];
      const { status, text } = await onlyResponse(on.url, `${head.join('\r\n')}\r\n\r\n`);
      expect(status).toBe(200);
      return (parse(text) as { servers: { url: string }[] }).servers.map(({ url }) => url);
    };

    it.each([
      ['store.example:3000', 'http://store.example:3000/v1'],
      ['192.168.1.20:3000', 'http://192.168.1.20:3000/v1'],
      ['[::1]:3000', 'http://[::1]:3000/v1'],
      ['store.example', 'http://store.example/v1'],
      ['tablet_1.local:3000', 'http://tablet_1.local:3000/v1'],
    ])('the address of the request: Host %s', async (host, server) => {
      expect(await serverFor([`Host: ${host}`])).toEqual([server]);
    });

    it('the relative address for a request without one', async () => {
      expect(await serverFor([], service, '1.0')).toEqual(['/v1']);
    });

    it('the address that only a trusted proxy forwards', async () => {
      const forwarded = ['X-Forwarded-Proto: https', 'X-Forwarded-Host: store.example'];
      const behindProxy = await startTestApp({ trustProxy: ['loopback'] });
      const elsewhere = await startTestApp({ trustProxy: ['192.0.2.1'] });
      try {
        expect(await serverFor(['Host: petstore:3000', ...forwarded], behindProxy)).toEqual([
          'https://store.example/v1',
        ]);
        expect(await serverFor(['Host: petstore:3000'], behindProxy)).toEqual(['http://petstore:3000/v1']);
        for (const unusable of ['X-Forwarded-Host: "', 'X-Forwarded-Proto: "', 'X-Forwarded-Host: $1/v1']) {
          expect(await serverFor(['Host: a.example', unusable], behindProxy)).toEqual(['/v1']);
        }
        expect(await serverFor(['Host: petstore:3000', ...forwarded], elsewhere)).toEqual(['http://petstore:3000/v1']);
        expect(await serverFor(['Host: petstore:3000', ...forwarded])).toEqual(['http://petstore:3000/v1']);
      } finally {
        await behindProxy.close();
        await elsewhere.close();
      }
    });

    it('PUBLIC_BASE_URL if it is set', async () => {
      const configured = await startTestApp({ publicBaseUrl: 'https://api.example.com/v1' });
      const servers = await serverFor(['Host: store.example'], configured);
      await configured.close();
      expect(servers).toEqual(['https://api.example.com/v1']);
    });
  });

  it('allows every origin when CORS_ORIGINS lists others', async () => {
    const configured = await startTestApp({ corsOrigins: ['https://shop.example.com'] });
    const { headers } = await new Api(configured.url).get('/openapi.json', { origin: 'https://editor.example.com' });
    await configured.close();
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});
