import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { createOf, headOf, onlyResponse, openSocket, parseResponses, sendOne, sendRaw } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

const list = (...headers: string[]) => headOf('GET /v1/pets', service.key, ...headers);
/** The head of a create. */
const create = (...headers: string[]) =>
  headOf('POST /v1/pets', service.key, 'Content-Type: application/json', ...headers);

describe('bytes that are not a valid HTTP request', () => {
  it.each([
    ['words', 'hello there\r\n\r\n'],
    ['an unknown method', 'FOO /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
    ['a space in the target', 'GET /v1/pets?q=rex max HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a letter in the target that must be encoded', 'GET /v1/pets?q=Jörg HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a name', 'GET /v1/pets HTTP/1.1\r\n: a\r\n\r\n'],
    ['two Content-Length headers', 'POST /v1/pets HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'a Content-Length and chunks',
      'POST /v1/pets HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('are rejected with 400 bad_request: %s', async (_what, bytes) => {
    const response = await onlyResponse(service.url, bytes);
    expect(expectError(response, 'bad_request')).toContain('Percent-encode');
    expect(response.headers.get('connection')).toBe('close');
  });

  it('are rejected with 400 bad_request: chunks in HTTP/1.0', async () => {
    const sent = create('Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0');
    expectError(await onlyResponse(service.url, `${sent}2\r\n{}\r\n0\r\n\r\n`), 'bad_request');
  });

  it('after valid requests leave these their own responses', async () => {
    const responses = await sendRaw(service.url, `${list()}${list()}nonsense\r\n\r\n`);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400]);
    const closed = await sendRaw(service.url, `${list('Connection: close')}nonsense\r\n\r\n`);
    expect(closed.map(({ status }) => status)).toEqual([200]);
  });

  it('log no error, but a line with the id of the response, also that of the client if its headers were parsed', async () => {
    const bytes = create('X-Request-Id: till-7', 'Transfer-Encoding: chunked').replace('/pets', '/pets?secret=1');
    const invalidChunks = await onlyResponse(service.url, `${bytes}zz\r\n`);
    expectError(invalidChunks, 'bad_request');
    expect(invalidChunks.headers.get('x-request-id')).toBe('till-7');
    const id = (await onlyResponse(service.url, 'hello there\r\n\r\n')).headers.get('x-request-id');
    expect(id).toMatch(/^[\w-]{36}$/);
    const linesOf = (wanted: string | null) => service.logged.filter(({ requestId }) => requestId === wanted);
    expect(linesOf('till-7')).toMatchObject([{ method: 'POST', path: '/v1/pets', status: 400, address: '127.0.0.1' }]);
    expect(linesOf(id)).toMatchObject([{ status: 400, address: '127.0.0.1' }]);
    expect(service.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

describe('headers', () => {
  it.each([
    ['none in HTTP/1.1', 'X-A: b'],
    ['two lines', 'Host: a\r\nHost: a'],
    ['a path', 'Host: a/b'],
    ['a space', 'Host: a b'],
  ])('are rejected with 400 bad_request if Host has %s', async (_what, host) => {
    for (const path of ['/v1/pets', '/healthz', '/']) {
      const [response] = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
      expect(response && expectError(response, 'bad_request')).toContain('Host');
    }
  });

  it('need no Host in HTTP/1.0, as in the checks of some proxies', async () => {
    expect((await onlyResponse(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it.each([
    ['GET /v1/pets HTTP/1.1', [`X-Long: ${'x'.repeat(17_000)}`]],
    [`GET /v1/pets?x=${'x'.repeat(17_000)} HTTP/1.1`, []],
  ])('beyond 16 KiB, with the target, are rejected with 431 headers_too_large (%#)', async (line, lines) => {
    expect(expectError(await sendOne(service.url, line, lines), 'headers_too_large')).toContain('16384 bytes');
  });

  it('have at most 100 lines: one more, and 2,000 short ones, are rejected with 431 headers_too_large', async () => {
    const linesOf = (count: number) => Array.from({ length: count }, (_, number) => `${number.toString(36)}: a`);
    const send = (count: number) => sendOne(service.url, 'GET /healthz HTTP/1.1', linesOf(count - 2));
    expect((await send(100)).status).toBe(200);
    for (const count of [101, 102, 110, 130, 500, 1800]) {
      expect(expectError(await send(count), 'headers_too_large')).toContain('100 lines');
    }
    const lines = linesOf(101).join('\r\n');
    const response = await onlyResponse(service.url, `GET /healthz HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n`);
    expect(response.headers.get('connection')).toBe('close');
  });

  it.each(['Authorization: Bearer x', 'content-type: text/plain'])(
    'are rejected with 400 bad_request, with a valid key and before a wrong one, if one is repeated: %s',
    async (header) => {
      const valid = createOf(service.key, header, 'Connection: close').join('');
      const wrong = headOf('PATCH /v1/nothing', 'wrong', header, header, 'Connection: close');
      for (const bytes of [valid, wrong]) {
        const response = await onlyResponse(service.url, bytes);
        expect(expectError(response, 'bad_request').toLowerCase()).toContain(header.split(':')[0]?.toLowerCase());
      }
    },
  );

  it('are rejected if Content-Type is repeated after one with quotes', async () => {
    const types = ['Content-Type: application/json; a="b"', 'Content-Type: text/plain'];
    const head = headOf('POST /v1/pets', service.key, ...types, 'Content-Length: 2', 'Connection: close');
    expectError(await onlyResponse(service.url, `${head}{}`), 'bad_request');
  });

  it('may give Content-Type any parameters, also with a comma in quotes', async () => {
    const type = { 'content-type': 'application/json; profile="a, b"' };
    expect((await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, type)).status).toBe(201);
  });

  it('with Expect: 100-continue get it, followed by the response', async () => {
    const bytes = createOf(service.key, 'Expect: 100-continue', 'Connection: close').join('');
    expect((await sendRaw(service.url, bytes)).map(({ status }) => status)).toEqual([100, 201]);
  });

  it('with another expectation get 417, and the connection ends', async () => {
    const bytes = headOf('POST /v1/pets', service.key, 'Expect: more', 'Transfer-Encoding: chunked');
    expect(await onlyResponse(service.url, bytes)).toMatchObject({ status: 417, text: '' });
  });
});

describe('a body that the service does not read', () => {
  const chunked = 'Transfer-Encoding: chunked';
  const json = 'Content-Type: application/json';

  /** Sends a body without an end, in small chunks, until the service closes the connection. Returns what it received. */
  async function sendEndlessly(head: string): Promise<{ text: string; bytesRead: number }> {
    const accepted = once(service.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const socket = openSocket(service.url);
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    const send = () => {
      while (socket.writable && socket.write('4\r\nbody\r\n'.repeat(1000)));
    };
    socket.on('drain', send).write(head);
    send();
    const [connection] = await accepted;
    // `once` would reject after a reset.
    await new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
    });
    return { text, bytesRead: connection.bytesRead };
  }

  it.each<[what: string, head: () => string, status: number]>([
    ['without a key', () => headOf('POST /v1/pets', '', json, chunked), 401],
    ['of a known length', () => headOf('POST /v1/pets', '', json, 'Content-Length: 1000000000'), 401],
    ['to an unknown path', () => headOf('POST /v1/nothing', service.key, json, chunked), 404],
    ['of an unknown method', () => headOf('DELETE /v1/pets', service.key, chunked), 405],
    ['of another type', () => headOf('POST /v1/pets', service.key, 'Content-Type: text/plain', chunked), 415],
    ['that is too large', () => create(chunked), 413],
    ['that is announced as too large', () => create('Content-Length: 1000000000'), 413],
    ['of a list', () => headOf('GET /v1/pets', service.key, chunked), 200],
    ['of a page', () => headOf('GET /docs', '', chunked), 200],
    ['of OPTIONS', () => headOf('OPTIONS /v1/pets', '', chunked), 204],
  ])('gets its response, and ends the connection after a little more: %s', async (_what, head, status) => {
    const { text, bytesRead } = await sendEndlessly(head());
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    // The body limit, 64 KiB more, and what was read at the same time.
    expect(bytesRead).toBeLessThan(8 * 65_536);
  });

  it.each([
    ['of a known length', 'Content-Length: 9', '123456789'],
    ['of nearly 64 KiB', 'Content-Length: 60000', 'x'.repeat(60_000)],
  ])('leaves the connection open if it is small and arrives after its response: %s', async (_what, header, body) => {
    const socket = openSocket(service.url);
    socket.write(headOf('POST /v1/pets', '', header));
    const rejection = await once(socket, 'data');
    socket.write(body + headOf('GET /healthz', ''));
    const response = await once(socket, 'data');
    expect(String(rejection)).toContain('HTTP/1.1 401');
    expect(String(response)).toContain('HTTP/1.1 200');
  });

  it.each([
    ['is long', 'Content-Length: 200000'],
    ['has chunks, whose number is unknown', chunked],
  ])('ends the connection if it %s: the whole response arrives first, and says so', async (_what, header) => {
    const socket = openSocket(service.url);
    socket.write(headOf('POST /v1/pets', '', header));
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(String(data)).toMatch(/^HTTP\/1.1 401 .*\r\nconnection: close\r\n.*\r\n\r\n\{.*"status":401\}$/is);
    socket.resume();
    await once(socket, 'close');
  });

  it('leaves a pool of connections usable', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusOf = (method: string, path: string, body = '') =>
      new Promise((resolve, reject) => {
        const sent = request(`${service.url}${path}`, { method, agent }, (response) =>
          response.resume().on('end', () => resolve(response.statusCode)),
        );
        sent.on('error', reject).end(body);
      });
    for (let round = 0; round < 3; round += 1) {
      expect(await statusOf('POST', '/v1/pets', 'x'.repeat(200_000))).toBe(401);
      expect(await statusOf('GET', '/healthz')).toBe(200);
    }
    agent.destroy();
  });
});

describe('a request gets one response with one body', () => {
  // A second response added an eleventh listener to the first.
  const warnings: string[] = [];
  const collect = ({ message }: Error) => void warnings.push(message);
  beforeAll(() => void process.on('warning', collect));
  afterAll(() => {
    process.off('warning', collect);
    expect(warnings).toEqual([]);
  });

  const withBody = (head: string) => head.replace('\r\n\r\n', '\r\nContent-Type: application/json\r\n\r\n');
  const requests: [what: string, head: () => string, status: number][] = [
    ['that is being read', () => withBody(headOf('POST /v1/pets', service.key)), 400],
    ['without a key', () => withBody(headOf('POST /v1/pets', '')), 401],
    ['of another type', () => headOf('POST /v1/pets', service.key, 'Content-Type: text/plain'), 415],
    ['of a list', () => headOf('GET /v1/pets', service.key), 200],
    ['of a file', () => headOf('GET /docs/swagger-ui.css', ''), 200],
    ['of a deep link', () => headOf('GET /labels', '', 'Accept: text/html'), 200],
    ['of OPTIONS', () => headOf('OPTIONS /v1/pets', ''), 204],
  ];
  const add = (head: string, header: string) => head.replace('\r\n', `\r\n${header}\r\n`);

  it.each(requests)('with an unknown Transfer-Encoding: %s', async (_what, head) => {
    const codings = ['xchunked', 'identity', 'chunked, gzip'].map((coding) => `Transfer-Encoding: ${coding}`);
    const responses = codings.map((coding) => onlyResponse(service.url, `${add(head(), coding)}{}`));
    for (const response of await Promise.all(responses)) expectError(response, 'bad_request');
  });

  it.each(requests)('with an invalid chunk, at once and later: %s', async (_what, head, status) => {
    const bytes = add(head(), 'Transfer-Encoding: chunked');
    expect((await onlyResponse(service.url, `${bytes}zz\r\n`)).status).toBe(status);
    const socket = openSocket(service.url);
    socket.write(`${bytes}1\r\nx\r\n`);
    const received = readText(socket);
    await setTimeout(100);
    socket.write('zz\r\n');
    expect(parseResponses(await received).map((response) => response.status)).toEqual([status]);
  });

  it.each(requests)('with a body that the client does not complete: %s', async (_what, head, status) => {
    for (const header of ['Transfer-Encoding: chunked', 'Content-Length: 9']) {
      const responses = await sendRaw(service.url, add(head(), header), { halfClose: true });
      expect(responses.map((response) => response.status)).toEqual([status]);
    }
  });
});

describe('an incomplete request', () => {
  const parts: [string, () => string][] = [
    ['its headers', () => 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n'],
    ['its body', () => `${create('Content-Length: 9')}{`],
  ];

  it.each(parts)('gets 400 bad_request when the client closes its side in the middle of %s', async (_part, bytes) => {
    const [response] = await sendRaw(service.url, bytes(), { halfClose: true });
    expect(response && expectError(response, 'bad_request')).toBeTruthy();
  });

  it.each(parts)('gets 408 request_timeout when it exceeds the time limit in %s', async (_part, bytes) => {
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
