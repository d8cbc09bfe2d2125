import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Api } from '../support/api.js';
import { sendOne } from '../support/raw-http.js';
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
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<div id="swagger-ui">');
  });

  it('has no inline script, which the security headers would block', async () => {
    const { text } = await anonymous.get('/docs');
    for (const [, attributes, inside] of text.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)) {
      expect([attributes, inside]).toEqual([expect.stringMatching(/ src="\/docs\/[\w.-]+"/), '']);
    }
    expect(text).not.toMatch(/\son\w+=|javascript:/i);
  });

  it('loads only files of this service, and all of them exist', async () => {
    const { text } = await anonymous.get('/docs');
    const needed = [...text.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(needed.length).toBeGreaterThanOrEqual(4);
    for (const url of needed) {
      expect(url).toMatch(/^\/docs\//);
      const response = await anonymous.get(url);
      expect([url, response.status, response.text.length > 100]).toEqual([url, 200, true]);
    }
    const { text: script } = await anonymous.get('/docs/init.js');
    const modules = [...script.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `/docs/${name}`);
    expect(modules.length).toBeGreaterThan(0);
    for (const url of modules) expect([url, (await anonymous.get(url)).status]).toEqual([url, 200]);
  });

  it.each([
    ['/docs/init.js', /^(text|application)\/javascript/],
    ['/docs/swagger-ui-bundle.js', /^(text|application)\/javascript/],
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
    const { text } = await anonymous.get('/docs/init.js');
    for (const setting of [
      "url: '/openapi.json'",
      'persistAuthorization: false',
      'tryItOutEnabled: true',
      'validatorUrl: null',
    ]) {
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

  it('allows every origin when CORS_ORIGINS lists others', async () => {
    const configured = await startTestApp({ corsOrigins: ['https://shop.example.com'] });
    const { headers } = await new Api(configured.url).get('/openapi.json', { origin: 'https://editor.example.com' });
    await configured.close();
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});
