import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits.js';
import { headOf, openSocket, sendRaw } from '../support/raw-http.js';
import { countLockWaits, holdPets } from '../support/scratch-database.js';
import { startTestApp, type TestApp, useTestApp } from '../support/test-app.js';

const { requestsPerConnection } = httpLimits;

const service = useTestApp();
beforeEach(() => {
  service.logged.length = 0;
});

const get = (path: string, ...headers: string[]) => headOf(`GET ${path}`, service.key, ...headers);
const last = () => get('/healthz', 'Connection: close');

const requestLines = () => service.logged.filter(({ msg }) => msg === 'request');

describe('pipelined requests', () => {
  const kinds = [
    { name: 'an unknown path', request: () => headOf('GET /x', ''), status: 404 },
    { name: 'a valid get', request: () => get('/v1/pets?limit=1'), status: 200 },
  ];

  const notJson = {
    name: 'a body that is not JSON',
    request: () => `${headOf('POST /v1/pets', service.key, 'Content-Type: application/json', 'Content-Length: 1')}{`,
    status: 400,
  };

  it.each([...kinds, notJson])('get their responses, 63 and another one: $name', async ({ request, status }) => {
    const responses = await sendRaw(service.url, request().repeat(requestsPerConnection - 1) + last());
    expect(responses.map((response) => response.status)).toEqual([
      ...Array.from({ length: requestsPerConnection - 1 }, () => status),
      200,
    ]);
  });

  it('that create pets get their responses in order, also if the bodies arrive in parts', async () => {
    const names = Array.from({ length: 16 }, (_, number) => `pet ${number}`);
    const requests = names.map((name) => {
      const body = JSON.stringify({ name, categoryId: 1 }).padEnd(50_000, ' ');
      const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
      return headOf('POST /v1/pets', service.key, ...headers) + body;
    });
    const responses = await sendRaw(service.url, requests.join('') + last());
    expect(responses.slice(0, -1).map(({ text }) => (JSON.parse(text) as { name: string }).name)).toEqual(names);
  });

  it.each(kinds)('of more than 64 close the connection, and 64 have a log line: $name', async ({ request }) => {
    const socket = openSocket(service.url);
    socket.write(request().repeat(500));
    await once(socket.resume(), 'close');
    const ids = () => new Set(requestLines().map(({ requestId }) => requestId));
    await expect.poll(() => ids().size).toBe(requestsPerConnection);
    expect(requestLines()).toHaveLength(requestsPerConnection);
    await expect.poll(() => service.logged.map(({ closed }) => closed)).toContain(1);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it.runIf(process.platform === 'linux')('for files open one at a time, if the client does not read', async () => {
    const file = 'swagger-ui-bundle.js';
    const targetOf = (fd: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        // The descriptor of the folder itself.
        return '';
      }
    };
    const openFiles = () => readdirSync('/proc/self/fd').filter((fd) => targetOf(fd).includes(file));
    const socket = openSocket(service.url).pause();
    socket.write(headOf(`GET /docs/${file}`, '').repeat(requestsPerConnection));
    await expect.poll(openFiles).not.toEqual([]);
    // A few turns of the event loop later.
    expect((await service.anonymous.get('/healthz')).status).toBe(200);
    expect(openFiles()).toHaveLength(1);
    socket.destroy();
    await expect.poll(openFiles).toEqual([]);
  });
});

it('the connections of a process beyond the limit are closed, counted and logged', async () => {
  const [allowed, opened] = [3, 20];
  const limited = await startTestApp({ limits: { maxConnections: allowed } });
  let closed = 0;
  const sockets = Array.from({ length: opened }, () => openSocket(limited.url).on('close', () => (closed += 1)));
  await expect.poll(() => closed).toBe(opened - allowed);
  const dropped = () => limited.logged.reduce((sum, line) => sum + Number(line['dropped'] ?? 0), 0);
  await expect.poll(dropped).toBe(opened - allowed);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await limited.api.get('/v1/pets')).status).toBe(200);
});

describe('near the limit of connections', () => {
  const limits = { maxConnections: 20 };
  const dropped = ({ logged }: TestApp) => logged.reduce((sum, line) => sum + Number(line['dropped'] ?? 0), 0);

  it.each([
    ['after a request', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['before a request', ''],
    ['in the middle of the headers', 'GET /healthz HTTP/1.1\r\n'],
  ])('those that are idle %s are closed, the oldest first, and none is refused', async (_when, bytes) => {
    const limited = await startTestApp({ limits });
    const closed: number[] = [];
    const sockets: Socket[] = [];
    for (let number = 0; number < 40; number += 1) {
      const socket = openSocket(limited.url).on('close', () => closed.push(number));
      sockets.push(socket);
      await once(socket, 'connect');
      if (bytes !== '') socket.write(bytes);
      if (bytes.endsWith('\r\n\r\n')) await once(socket, 'data');
      else socket.resume();
      expect((await sendRaw(limited.url, headOf('GET /healthz', '', 'Connection: close')))[0]?.status).toBe(200);
    }
    const first = [...closed];
    for (const socket of sockets) socket.destroy();
    expect(first.length).toBeGreaterThan(0);
    expect(first).toEqual(first.toSorted((a, b) => a - b));
    expect(dropped(limited)).toBe(0);
    await expect.poll(() => limited.logged.some(({ closed: count }) => Number(count) > 0)).toBe(true);
  });

  it('those with a request in progress are not closed', async () => {
    const limited = await startTestApp({ limits });
    const hold = await holdPets(limited.databaseUrl);
    const responses = Array.from({ length: 10 }, () => limited.api.get('/v1/pets'));
    await expect.poll(() => countLockWaits(limited.databaseUrl)).toBeGreaterThan(0);
    const sockets = Array.from({ length: 40 }, () => openSocket(limited.url));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await hold.end();
    for (const socket of sockets) socket.destroy();
    expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

/** The seconds of a setting of a file of `deploy`. */
function secondsOf(file: string, setting: RegExp): number {
  const text = readFileSync(join(import.meta.dirname, '../../../../deploy', file), 'utf8');
  return Number(setting.exec(text)?.[1]);
}

it.each([
  ['caddy/Caddyfile', /^\s*read_header (\d+)s$/m],
  ['nginx/petstore.conf', /^client_header_timeout (\d+)s;$/m],
  ['haproxy/haproxy.cfg', /^\s*timeout http-request (\d+)s$/m],
  ['cluster/haproxy.cfg', /^\s*timeout http-request (\d+)s$/m],
])('the time for the headers of a request is limited in deploy/%s as in the service', (file, setting) => {
  expect(secondsOf(file, setting) * 1000).toBe(httpLimits.headersTimeoutMs);
});

it.each([
  ['caddy/Caddyfile', /^\s*keepalive (\d+)s$/m],
  ['nginx/petstore.conf', /^upstream petstore \{[^}]*^\s*keepalive_timeout (\d+)s;$/m],
  ['haproxy/haproxy.cfg', /^\s*timeout http-keep-alive (\d+)s$/m],
  ['cluster/haproxy.cfg', /^\s*timeout http-keep-alive (\d+)s$/m],
])(
  'the time after which a proxy closes an idle connection is shorter in deploy/%s than in the service',
  (file, setting) => {
    expect(secondsOf(file, setting) * 1000).toBeLessThanOrEqual(httpLimits.keepAliveTimeoutMs - 10_000);
  },
);
