import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { expectError } from '../support/expect-error.js';
import { onlyResponse, type RawResponse, sendOne, sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let readKey: string;
beforeAll(async () => {
  service = await startTestApp();
  readKey = (await service.keys.create('read', ['read'], null)).key;
  await service.app.get(ApiKeyRing).reload();
});
afterAll(() => service.close());

const key = () => `Authorization: Bearer ${service.key}`;
const json = 'Content-Type: application/json';
const statusesOf = (responses: RawResponse[]) => responses.map(({ status }) => status);

describe('the Host header', () => {
  it('is required in HTTP/1.1: 400 bad_request', async () => {
    const response = await onlyResponse(service.url, `GET /v1/pets HTTP/1.1\r\n${key()}\r\nConnection: close\r\n\r\n`);
    expect(expectError(response, 'bad_request')).toContain('Host');
  });

  it.each([
    ['two lines', 'Host: a\r\nHost: a'],
    ['a path', 'Host: a/b'],
    ['a user', 'Host: me@a'],
    ['a space', 'Host: a b'],
    ['a port that is no number', 'Host: a:b'],
    ['two names', 'Host: a, b'],
  ])('is rejected with 400 bad_request: %s', async (_what, host) => {
    for (const path of ['/v1/pets', '/healthz', '/']) {
      const [response] = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
      expect(response && expectError(response, 'bad_request')).toContain('Host');
    }
  });

  it.each(['a', 'petstore.example:3000', '127.0.0.1', '[::1]:3000', 'a_b.example', 'xn--tst-qla.example', ''])(
    'may be "%s"',
    async (host) => {
      const [response] = await sendRaw(
        service.url,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(response?.status).toBe(200);
    },
  );

  it('is optional in HTTP/1.0', async () => {
    expect((await onlyResponse(service.url, `GET /v1/pets HTTP/1.0\r\n${key()}\r\n\r\n`)).status).toBe(200);
  });
});

describe('headers', () => {
  it.each([
    ['before Authorization', 1200, (many: string[]) => [...many, key()]],
    ['before a repeated Authorization', 1100, (many: string[]) => [key(), ...many, key()]],
    ['before Idempotency-Key', 1000, (many: string[]) => [key(), json, ...many, 'Idempotency-Key: a']],
  ])('beyond 1,000 are rejected with 431 headers_too_large: %s', async (_where, count, headersWith) => {
    const headers = headersWith(Array.from({ length: count }, () => 'a: b'));
    const response = await sendOne(service.url, 'POST /v1/pets HTTP/1.1', [...headers, 'Content-Length: 2'], '{}');
    expect(expectError(response, 'headers_too_large')).toContain('1000 headers');
  });

  it('up to 1,000 are read, also the last one', async () => {
    // With Host, Connection and Authorization.
    const headers = [...Array.from({ length: 997 }, () => 'a: b'), key()];
    expect((await sendOne(service.url, 'GET /v1/pets HTTP/1.1', headers)).status).toBe(200);
  });

  it('beyond 16 KiB are rejected with 431 headers_too_large', async () => {
    const response = await sendOne(service.url, 'GET /v1/pets HTTP/1.1', [`X-Long: ${'x'.repeat(17_000)}`]);
    expect(expectError(response, 'headers_too_large')).toContain('16384 bytes');
  });

  it('and a target beyond 16 KiB in total are rejected with 431 headers_too_large', async () => {
    expectError(await sendOne(service.url, `GET /v1/pets?x=${'x'.repeat(17_000)} HTTP/1.1`), 'headers_too_large');
  });

  it('of 15 KiB, and a target of 15 KiB, are accepted', async () => {
    expect((await sendOne(service.url, 'GET /v1/pets HTTP/1.1', [key(), `X-Long: ${'x'.repeat(15_000)}`])).status).toBe(
      200,
    );
    expectError(await sendOne(service.url, `GET /v1/pets/${'1'.repeat(15_000)} HTTP/1.1`, [key()]), 'pet_not_found');
  });

  it('with an unknown Expect are ignored', async () => {
    expect((await sendOne(service.url, 'GET /v1/pets HTTP/1.1', [key(), 'Expect: the-unexpected'])).status).toBe(200);
  });

  it.each(['Authorization: Bearer x', 'authorization: Bearer x', json, 'content-type: text/plain'])(
    'that are repeated are rejected with 400 bad_request: %s',
    async (header) => {
      const body = '{"name":"Rex","categoryId":7}';
      const head = [key(), json, `Content-Length: ${body.length}`, header];
      const response = await sendOne(service.url, 'POST /v1/pets HTTP/1.1', head, body);
      expect(expectError(response, 'bad_request').toLowerCase()).toContain(header.split(':')[0]?.toLowerCase());
    },
  );

  const expecting = 'Expect: 100-continue';

  it.each([
    ['no key', () => [json, 'Content-Length: 9'], 401],
    ['no scope', () => [`Authorization: Bearer ${readKey}`, json, 'Content-Length: 9'], 403],
    ['too large a body', () => [key(), json, 'Content-Length: 100000'], 413],
  ])('with Expect: 100-continue do not get it for %s, and the connection is closed', async (_what, more, status) => {
    const head = ['POST /v1/pets HTTP/1.1', 'Host: a', expecting, ...more()];
    const responses = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n`);
    expect(statusesOf(responses)).toEqual([status]);
    expect(responses[0]?.headers.get('connection')).toBe('close');
  });

  it('with Expect: 100-continue do not get it for unknown paths and methods', async () => {
    for (const [target, status] of [
      ['POST /v1/nothing', 404],
      ['DELETE /v1/pets', 405],
    ]) {
      const head = [`${target} HTTP/1.1`, 'Host: a', key(), expecting, 'Content-Length: 9'];
      expect(statusesOf(await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n`))).toEqual([status]);
    }
  });

  it('with Expect: 100-continue get it, followed by the response', async () => {
    const body = '{"name":"Rex","categoryId":7}';
    const head = [
      'POST /v1/pets HTTP/1.1',
      'Host: a',
      key(),
      json,
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    expect(statusesOf(await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n${body}`))).toEqual([100, 201]);
  });

  it('that request a protocol upgrade are ignored', async () => {
    const upgrade = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: eA==',
    ];
    expect((await sendOne(service.url, 'GET /v1/pets HTTP/1.1', [key(), ...upgrade])).status).toBe(200);
  });
});
