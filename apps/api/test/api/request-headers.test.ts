import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { onlyResponse, sendOne, sendRaw } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
let readKey: string;
beforeAll(async () => {
  readKey = await service.newKey('read');
});

const key = () => `Authorization: Bearer ${service.key}`;
const json = 'Content-Type: application/json';

describe('the Host header', () => {
  it('is required in HTTP/1.1: 400 bad_request, or 401 without a key', async () => {
    const request = 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n';
    const response = await onlyResponse(service.url, `${request}${key()}\r\n\r\n`);
    expect(expectError(response, 'bad_request')).toContain('Host');
    expectError(await onlyResponse(service.url, `${request}\r\n`), 'missing_api_key');
  });

  it.each([
    ['two lines', 'Host: a\r\nHost: a'],
    ['a path', 'Host: a/b'],
    ['a space', 'Host: a b'],
  ])('is rejected with 400 bad_request: %s', async (_what, host) => {
    for (const path of ['/v1/pets', '/healthz', '/']) {
      const [response] = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
      expect(response && expectError(response, 'bad_request')).toContain('Host');
    }
  });
});

describe('headers', () => {
  it.each([
    ['GET /v1/pets HTTP/1.1', [`X-Long: ${'x'.repeat(17_000)}`]],
    [`GET /v1/pets?x=${'x'.repeat(17_000)} HTTP/1.1`, []],
  ])('beyond 16 KiB, with the target, are rejected with 431 headers_too_large (%#)', async (line, headers) => {
    expect(expectError(await sendOne(service.url, line, headers), 'headers_too_large')).toContain('16384 bytes');
  });

  it.each(['Authorization: Bearer x', 'content-type: text/plain'])(
    'that are repeated are rejected with 400 bad_request: %s',
    async (header) => {
      const body = '{"name":"Rex","categoryId":7}';
      const head = [key(), json, `Content-Length: ${body.length}`, header];
      const response = await sendOne(service.url, 'POST /v1/pets HTTP/1.1', head, body);
      expect(expectError(response, 'bad_request').toLowerCase()).toContain(header.split(':')[0]?.toLowerCase());
    },
  );

  it.each([
    ['no key', 'POST /v1/pets', () => [json, 'Content-Length: 9'], 401],
    ['no scope', 'POST /v1/pets', () => [`Authorization: Bearer ${readKey}`, json, 'Content-Length: 9'], 403],
    ['too large a body', 'POST /v1/pets', () => [key(), json, 'Content-Length: 100000'], 413],
    ['an unknown path', 'POST /v1/nothing', () => [key(), 'Content-Length: 9'], 404],
  ] as const)('with Expect: 100-continue do not get it for %s', async (_what, target, headers, status) => {
    const head = [`${target} HTTP/1.1`, 'Host: a', 'Expect: 100-continue', ...headers()];
    const responses = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n`);
    expect(responses.map((response) => response.status)).toEqual([status]);
    expect(responses[0]?.headers.get('connection')).toBe('close');
  });

  it('with Expect: 100-continue get it, followed by the response', async () => {
    const body = '{"name":"Rex","categoryId":7}';
    const length = `Content-Length: ${body.length}`;
    const head = [
      'POST /v1/pets HTTP/1.1',
      'Host: a',
      key(),
      json,
      length,
      'Expect: 100-continue',
      'Connection: close',
    ];
    const responses = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n${body}`);
    expect(responses.map(({ status }) => status)).toEqual([100, 201]);
  });
});
