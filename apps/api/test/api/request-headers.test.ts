import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { createOf, headOf, onlyResponse, sendOne, sendRaw } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
let readKey: string;
beforeAll(async () => {
  readKey = await service.newKey('read');
});

describe('the Host header', () => {
  it('is required in HTTP/1.1: 400 bad_request, or 401 without a key', async () => {
    const request = 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n';
    const response = await onlyResponse(service.url, `${request}Authorization: Bearer ${service.key}\r\n\r\n`);
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

  const repeated = ['Authorization: Bearer x', 'content-type: text/plain'];
  it.each(repeated)('that are repeated are rejected with 400 bad_request: %s', async (header) => {
    const response = await onlyResponse(service.url, createOf(service.key, header, 'Connection: close').join(''));
    expect(expectError(response, 'bad_request').toLowerCase()).toContain(header.split(':')[0]?.toLowerCase());
  });

  it.each<[what: string, target: string, keyOf: () => string, length: number, status: number]>([
    ['no key', 'POST /v1/pets', () => '', 9, 401],
    ['no scope', 'POST /v1/pets', () => readKey, 9, 403],
    ['too large a body', 'POST /v1/pets', () => service.key, 100_000, 413],
    ['an unknown path', 'POST /v1/nothing', () => service.key, 9, 404],
  ])('with Expect: 100-continue do not get it for %s', async (_what, target, keyOf, length, status) => {
    const headers = ['Content-Type: application/json', `Content-Length: ${length}`, 'Expect: 100-continue'];
    const responses = await sendRaw(service.url, headOf(target, keyOf(), ...headers));
    expect(responses.map((response) => response.status)).toEqual([status]);
    expect(responses[0]?.headers.get('connection')).toBe('close');
  });

  it('with Expect: 100-continue get it, followed by the response', async () => {
    const bytes = createOf(service.key, 'Expect: 100-continue', 'Connection: close').join('');
    const responses = await sendRaw(service.url, bytes);
    expect(responses.map(({ status }) => status)).toEqual([100, 201]);
  });
});
