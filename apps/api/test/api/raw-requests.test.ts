import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { onlyResponse, type RawResponse, sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

const key = () => `Authorization: Bearer ${service.key}`;
const json = 'Content-Type: application/json';
const list = () => `GET /v1/pets HTTP/1.1\r\nHost: a\r\n${key()}\r\n\r\n`;
const live = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const statusesOf = (responses: RawResponse[]) => responses.map(({ status }) => status);

describe('bytes that are not a valid HTTP request', () => {
  it.each([
    ['words', 'hello there\r\n\r\n'],
    ['zeros', '\0'.repeat(100)],
    ['a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'FETCH /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target without a slash', 'GET v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /v1/pe ts HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another version', 'GET /v1/pets HTTP/3.7\r\nHost: a\r\n\r\n'],
    ['a header without a name', 'GET /v1/pets HTTP/1.1\r\n: a\r\n\r\n'],
    ['a header with a NUL', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n'],
    [
      'two Content-Length headers',
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    ['a negative Content-Length', 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    [
      'a Content-Length and chunks',
      'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('are rejected with 400 bad_request: %s', async (_what, bytes) => {
    const response = await onlyResponse(service.url, bytes);
    expectError(response, 'bad_request');
    expect(response.headers.get('connection')).toBe('close');
  });

  it('are rejected with 400 bad_request: invalid chunks', async () => {
    expectError(
      await onlyResponse(
        service.url,
        `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${key()}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ),
      'bad_request',
    );
  });

  it('name an unknown method in the message', async () => {
    const response = await onlyResponse(service.url, 'FOO /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(expectError(response, 'bad_request')).toContain('The request method is unknown');
  });

  it.each([
    ['gzip, chunked', '1.1'],
    ['gzip', '1.1'],
    ['chunked, gzip', '1.1'],
    ['identity', '1.1'],
    ['chunked', '1.0'],
  ])('are rejected with 400 bad_request: Transfer-Encoding %s in HTTP/%s', async (coding, version) => {
    const head = `POST /v1/pets HTTP/${version}\r\nHost: a\r\nConnection: close\r\n${key()}\r\n${json}\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
    const body = '{"name":"Rex","categoryId":7}';
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expectError(await onlyResponse(service.url, head + chunks), 'bad_request');
  });

  it('log no error', () => {
    expect(service.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

describe('pipelined requests', () => {
  it('get their responses in order', async () => {
    const responses = await sendRaw(
      service.url,
      `${list()}${live}GET /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(statusesOf(responses)).toEqual([200, 200, 401]);
    expect(responses[1]?.text).toBe('{"status":"ok"}');
  });

  it('get their responses in order when a CONNECT follows', async () => {
    const proxy = 'CONNECT petstore.example:443 HTTP/1.1\r\nHost: a\r\n\r\n';
    expect(statusesOf(await sendRaw(service.url, `${live}${proxy}`))).toEqual([200, 404]);
    expect(statusesOf(await sendRaw(service.url, `${list()}${live}${list()}${proxy}`))).toEqual([200, 200, 200, 404]);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  it('get their own responses when invalid bytes follow', async () => {
    expect(statusesOf(await sendRaw(service.url, `${list()}${live}nonsense\r\n\r\n`))).toEqual([200, 200, 400]);
    expect(
      statusesOf(await sendRaw(service.url, `${list().replace('Host', 'Connection: close\r\nHost')}nonsense\r\n\r\n`)),
    ).toEqual([200]);
  });
});

describe('a client that closes its side of the connection', () => {
  it('after its requests gets every response', async () => {
    expect(statusesOf(await sendRaw(service.url, `${list()}${live}`, { halfClose: true }))).toEqual([200, 200]);
  });

  it.each([
    ['the head', () => 'GET /v1/pets HTTP/1.1\r\nHost'],
    ['the body', () => `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${key()}\r\n${json}\r\nContent-Length: 9\r\n\r\n{`],
  ])('in the middle of %s gets 400 bad_request', async (_where, bytes) => {
    const [response] = await sendRaw(service.url, bytes(), { halfClose: true });
    expect(response && expectError(response, 'bad_request')).toBeTruthy();
  });

  it('and disconnects in the middle of a body causes no error in the log', async () => {
    const before = service.logged.length;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const reached = once(service.app.getHttpServer(), 'request');
    socket.write(`POST /v1/pets HTTP/1.1\r\nHost: a\r\n${key()}\r\n${json}\r\nContent-Length: 9\r\n\r\n{`);
    await reached;
    socket.destroy();
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    expect(service.logged.slice(before).filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

describe('a request that cannot be parsed', () => {
  it('keeps its request id if its headers were parsed, also in the log', async () => {
    const response = await onlyResponse(
      service.url,
      `POST /v1/pets?secret=1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: till-7\r\n${key()}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    );
    expectError(response, 'bad_request');
    expect(response.headers.get('x-request-id')).toBe('till-7');
    const lines = service.logged.filter(({ requestId }) => requestId === 'till-7');
    expect(lines).toMatchObject([{ method: 'POST', path: '/v1/pets', status: 400, address: '127.0.0.1' }]);
  });

  it('is logged with the id of its response if it has no valid headers', async () => {
    const id = (await onlyResponse(service.url, 'hello there\r\n\r\n')).headers.get('x-request-id');
    expect(id).toMatch(/^[\w-]{36}$/);
    const lines = service.logged.filter(({ requestId }) => requestId === id);
    expect(lines).toMatchObject([{ status: 400, address: '127.0.0.1' }]);
  });
});

describe('a request that exceeds the time limit', () => {
  it.each([
    ['its headers', () => 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n'],
    ['its body', () => `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${key()}\r\n${json}\r\nContent-Length: 9\r\n\r\n{`],
  ])('in %s is rejected with 408 request_timeout', async (_part, bytes) => {
    const server = service.app.getHttpServer();
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server;
    expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      timeout: 40_000,
      keepAliveTimeout: 75_000,
    });
    Object.assign(server, { headersTimeout: 200, requestTimeout: 200 });
    try {
      const response = await onlyResponse(service.url, bytes());
      expect(expectError(response, 'request_timeout')).toContain('10 s');
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout });
    }
  });
});
