import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Api } from '../support/api.js';
import { sendOne } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let anybody: Api;
beforeAll(async () => {
  service = await startTestApp();
  anybody = new Api(service.url);
});
afterAll(() => service.close());

describe('/docs', () => {
  it('is a page that everybody may see', async () => {
    const { status, headers, text } = await anybody.get('/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<div id="swagger-ui">');
  });

  it('has no script of its own inside, which the security headers would stop', async () => {
    const { text } = await anybody.get('/docs');
    for (const [, attributes, inside] of text.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)) {
      expect([attributes, inside]).toEqual([expect.stringMatching(/ src="\/docs\/[\w.-]+"/), '']);
    }
    expect(text).not.toMatch(/\son\w+=|javascript:/i);
  });

  it('needs nothing from elsewhere, and all that it needs is there', async () => {
    const { text } = await anybody.get('/docs');
    const needed = [...text.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(needed.length).toBeGreaterThanOrEqual(4);
    for (const url of needed) {
      expect(url).toMatch(/^\/docs\//);
      const answer = await anybody.get(url);
      expect([url, answer.status, answer.text.length > 100]).toEqual([url, 200, true]);
    }
    const { text: script } = await anybody.get('/docs/init.js');
    const modules = [...script.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `/docs/${name}`);
    expect(modules.length).toBeGreaterThan(0);
    for (const url of modules) expect([url, (await anybody.get(url)).status]).toEqual([url, 200]);
  });

  it.each([
    ['/docs/init.js', /^(text|application)\/javascript/],
    ['/docs/swagger-ui-bundle.js', /^(text|application)\/javascript/],
    ['/docs/swagger-ui.css', /^text\/css/],
    ['/docs/theme.css', /^text\/css/],
    ['/docs/favicon-32x32.png', /^image\/png/],
  ])('has %s with its type, to be asked for again when it has changed', async (path, type) => {
    const { headers } = await anybody.get(path, { 'accept-encoding': 'gzip' });
    expect(headers.get('content-type')).toMatch(type);
    expect(headers.get('cache-control')).toBe('no-cache');
    const known = [`If-None-Match: ${headers.get('etag')}`, 'Accept-Encoding: gzip'];
    for (const method of ['GET', 'HEAD']) {
      const again = await sendOne(service.url, `${method} ${path} HTTP/1.1`, known);
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it('stores nothing in localStorage, tries operations out, and shows the document of this service', async () => {
    const { text } = await anybody.get('/docs/init.js');
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
    const { status, headers } = await anybody.get(path, { origin: 'https://editor.example.com' });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, 'no-cache']);
    expect(headers.get('vary')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toBe('ETag');
    expect((await anybody.head(path)).status).toBe(200);
  });

  it.each(Object.keys(types))('returns 304 for its ETag at %s', async (path) => {
    const { headers } = await anybody.get(path);
    const tags = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await anybody.get(path, tags);
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
    expect((await anybody.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is the same document in YAML, with every digit', async () => {
    const { json } = await anybody.get('/openapi.json');
    const { text } = await anybody.get('/openapi.yaml');
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
