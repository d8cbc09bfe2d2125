import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits.js';
import { headOf, openSocket, sendRaw } from '../support/raw-http.js';
import { countLockWaits, holdPets } from '../support/scratch-database.js';
import { startTestApp, type TestApp, useTestApp } from '../support/test-app.js';

const { requestsPerConnection } = httpLimits;

const service = useTestApp();

const get = (path: string, ...headers: string[]) => headOf(`GET ${path}`, service.key, ...headers);
const last = () => get('/healthz', 'Connection: close');

describe('pipelined requests', () => {
  const unknownPath = () => headOf('GET /x', '');
  const list = () => get('/v1/pets?limit=1');

  it('get their responses in order: those that are rejected, lists, and creates whose bodies arrive in parts', async () => {
    const names = Array.from({ length: (requestsPerConnection - 1) / 3 }, (_, number) => `pet ${number}`);
    const requests = names.map((name) => {
      const body = JSON.stringify({ name, categoryId: 1 }).padEnd(8000, ' ');
      const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
      return unknownPath() + list() + headOf('POST /v1/pets', service.key, ...headers) + body;
    });
    const responses = await sendRaw(service.url, requests.join('') + last());
    expect(responses.map(({ status }) => status)).toEqual([...names.flatMap(() => [404, 200, 201]), 200]);
    const created = responses.filter(({ status }) => status === 201);
    expect(created.map(({ text }) => (JSON.parse(text) as { name: string }).name)).toEqual(names);
  });

  it.each([
    ['an unknown path', unknownPath],
    ['a list', list],
  ])('of more than 64 close the connection, which the log counts: %s', async (_what, request) => {
    service.logged.length = 0;
    const socket = openSocket(service.url);
    socket.write(request().repeat(500));
    await once(socket.resume(), 'close');
    await expect.poll(() => service.logged).toContainEqual(expect.objectContaining({ closed: 1 }));
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });
});

const dropped = ({ logged }: TestApp) => logged.reduce((sum, line) => sum + Number(line['dropped'] ?? 0), 0);

it('the connections of a process beyond the limit are closed, counted and logged', async () => {
  const [allowed, opened] = [3, 20];
  const limited = await startTestApp({ limits: { maxConnections: allowed } });
  let closed = 0;
  const sockets = Array.from({ length: opened }, () => openSocket(limited.url).on('close', () => (closed += 1)));
  await expect.poll(() => closed).toBe(opened - allowed);
  await expect.poll(() => dropped(limited)).toBe(opened - allowed);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await limited.api.get('/v1/pets')).status).toBe(200);
});

describe('near the limit of connections', () => {
  const limited = useTestApp({ limits: { maxConnections: 20 } });

  it.each([
    ['after a request', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['before a request', ''],
    ['in the middle of the headers', 'GET /healthz HTTP/1.1\r\n'],
  ])('those that are idle %s are closed, the oldest first, and none is refused', async (_when, bytes) => {
    limited.logged.length = 0;
    const closed: number[] = [];
    for (let number = 0; number < 40; number += 1) {
      const socket = openSocket(limited.url).on('close', () => closed.push(number));
      await once(socket, 'connect');
      if (bytes !== '') socket.write(bytes);
      if (bytes.endsWith('\r\n\r\n')) await once(socket, 'data');
      else socket.resume();
      expect((await sendRaw(limited.url, headOf('GET /healthz', '', 'Connection: close')))[0]?.status).toBe(200);
    }
    expect(closed.length).toBeGreaterThan(0);
    expect(closed).toEqual([...closed.keys()]);
    expect(dropped(limited)).toBe(0);
    await expect.poll(() => limited.logged.some(({ closed: count }) => Number(count) > 0)).toBe(true);
  });

  it('those with a request in progress are not closed', async () => {
    const hold = await holdPets(limited.databaseUrl);
    const responses = Array.from({ length: 10 }, () => limited.api.get('/v1/pets'));
    await expect.poll(() => countLockWaits(limited.databaseUrl)).toBeGreaterThan(0);
    const sockets = Array.from({ length: 40 }, () => openSocket(limited.url));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await hold.end();
    expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

it.each([
  ['caddy/Caddyfile', /^\s*read_header (\d+)s$/m, /^\s*keepalive (\d+)s$/m],
  [
    'nginx/petstore.conf',
    /^client_header_timeout (\d+)s;$/m,
    /^upstream petstore \{[^}]*^\s*keepalive_timeout (\d+)s;$/m,
  ],
  ['haproxy/haproxy.cfg', /^\s*timeout http-request (\d+)s$/m, /^\s*timeout http-keep-alive (\d+)s$/m],
  ['cluster/haproxy.cfg', /^\s*timeout http-request (\d+)s$/m, /^\s*timeout http-keep-alive (\d+)s$/m],
])('deploy/%s limits the time for headers as the service, and closes idle connections first', (file, headers, idle) => {
  const text = readFileSync(join(import.meta.dirname, '../../../../deploy', file), 'utf8');
  const millisecondsOf = (setting: RegExp) => Number(setting.exec(text)?.[1]) * 1000;
  expect(millisecondsOf(headers)).toBe(httpLimits.headersTimeoutMs);
  expect(millisecondsOf(idle)).toBeLessThanOrEqual(httpLimits.keepAliveTimeoutMs - 10_000);
});
