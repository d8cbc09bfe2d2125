import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    const needed = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(needed.length).toBeGreaterThanOrEqual(4);
    for (const url of needed) {
      expect(url).toMatch(/^\/docs\//);
      const answer = await anybody.get(url);
      expect([url, answer.status, answer.text.length > 100]).toEqual([url, 200, true]);
    }
  });

  it.each([
    ['/docs/init.js', /^(text|application)\/javascript/],
    ['/docs/swagger-ui-bundle.js', /^(text|application)\/javascript/],
    ['/docs/swagger-ui.css', /^text\/css/],
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

  it('keeps the authorization, tries operations out, and shows the document of this service', async () => {
    const { text } = await anybody.get('/docs/init.js');
    for (const setting of [
      "url: '/openapi.json'",
      'persistAuthorization: true',
      'tryItOutEnabled: true',
      'validatorUrl: null',
    ]) {
      expect(text).toContain(setting);
    }
  });
});

describe('/openapi.json', () => {
  it('is a document that everybody may read, by HEAD too', async () => {
    const { status, headers } = await anybody.get('/openapi.json');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'no-cache',
    ]);
    expect((await anybody.head('/openapi.json')).status).toBe(200);
  });
});
