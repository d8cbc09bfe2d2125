import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    const needed = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(needed.length).toBeGreaterThanOrEqual(4);
    for (const url of needed) {
      expect(url).toMatch(/^\/docs\//);
      const response = await anonymous.get(url);
      expect([url, response.status, response.text.length > 100]).toEqual([url, 200, true]);
    }
  });

  it.each([
    ['/docs/init.js', /^(text|application)\/javascript/],
    ['/docs/swagger-ui-bundle.js', /^(text|application)\/javascript/],
    ['/docs/swagger-ui.css', /^text\/css/],
    ['/docs/favicon-32x32.png', /^image\/png/],
  ])('serves %s with its media type and revalidation', async (path, type) => {
    const { headers } = await anonymous.get(path);
    expect(headers.get('content-type')).toMatch(type);
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await sendOne(service.url, `GET ${path} HTTP/1.1`, [`If-None-Match: ${headers.get('etag')}`]);
    expect(again.status).toBe(304);
  });

  it('keeps the authorization, can send requests, and shows the document of this service', async () => {
    const { text } = await anonymous.get('/docs/init.js');
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
  it('is a public document, also for HEAD', async () => {
    const { status, headers } = await anonymous.get('/openapi.json');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'no-cache',
    ]);
    expect((await anonymous.head('/openapi.json')).status).toBe(200);
  });
});
