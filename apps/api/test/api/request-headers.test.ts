import { expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { createOf, onlyResponse, sendOne, sendRaw } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

it.each([
  ['none in HTTP/1.1', 'X-A: b'],
  ['two lines', 'Host: a\r\nHost: a'],
  ['a path', 'Host: a/b'],
  ['a space', 'Host: a b'],
])('the Host header is rejected with 400 bad_request: %s', async (_what, host) => {
  for (const path of ['/v1/pets', '/healthz', '/']) {
    const [response] = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
    expect(response && expectError(response, 'bad_request')).toContain('Host');
  }
});

it('the Host header may be missing in HTTP/1.0, as in the checks of some proxies', async () => {
  expect((await onlyResponse(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
});

it.each([
  [`GET /v1/pets HTTP/1.1`, [`X-Long: ${'x'.repeat(17_000)}`]],
  [`GET /v1/pets?x=${'x'.repeat(17_000)} HTTP/1.1`, []],
])('headers beyond 16 KiB, with the target, are rejected with 431 headers_too_large (%#)', async (line, headers) => {
  expect(expectError(await sendOne(service.url, line, headers), 'headers_too_large')).toContain('16384 bytes');
});

it.each(['Authorization: Bearer x', 'content-type: text/plain'])(
  'a repeated header is rejected with 400 bad_request: %s',
  async (header) => {
    const response = await onlyResponse(service.url, createOf(service.key, header, 'Connection: close').join(''));
    expect(expectError(response, 'bad_request').toLowerCase()).toContain(header.split(':')[0]?.toLowerCase());
  },
);

it('Content-Type may have any parameters, also with a comma in quotes', async () => {
  const headers = { 'content-type': 'application/json; profile="a, b"' };
  const response = await service.api.send('POST', '/v1/pets', { headers, body: '{"name":"Rex","categoryId":7}' });
  expect(response.status).toBe(201);
});

it('Expect: 100-continue gets it, followed by the response', async () => {
  const bytes = createOf(service.key, 'Expect: 100-continue', 'Connection: close').join('');
  const responses = await sendRaw(service.url, bytes);
  expect(responses.map(({ status }) => status)).toEqual([100, 201]);
});
