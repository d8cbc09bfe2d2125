import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits.js';
import { sendRaw } from '../support/raw-http.js';
import { startTestApp, useTestApp } from '../support/test-app.js';

const { requestsPerConnection } = httpLimits;

const service = useTestApp();
beforeEach(() => {
  service.logged.length = 0;
});

const headers = (...more: string[]) =>
  ['Host: a', `Authorization: Bearer ${service.key}`, ...more, '', ''].join('\r\n');
const last = () => `GET /healthz HTTP/1.1\r\n${headers('Connection: close')}`;

function open({ url } = service): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
}

const requestLines = () => service.logged.filter(({ msg }) => msg === 'request');

describe('pipelined requests', () => {
  const kinds = [
    { name: 'an unknown path', request: () => 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n', status: 404 },
    { name: 'a valid get', request: () => `GET /v1/pets?limit=1 HTTP/1.1\r\n${headers()}`, status: 200 },
  ];

  const notJson = {
    name: 'a body that is not JSON',
    request: () => `POST /v1/pets HTTP/1.1\r\n${headers('Content-Type: application/json', 'Content-Length: 1')}{`,
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
      const lengths = headers('Content-Type: application/json', `Content-Length: ${body.length}`);
      return `POST /v1/pets HTTP/1.1\r\n${lengths}${body}`;
    });
    const responses = await sendRaw(service.url, requests.join('') + last());
    expect(responses.slice(0, -1).map(({ text }) => (JSON.parse(text) as { name: string }).name)).toEqual(names);
  });

  it.each(kinds)('of more than 64 close the connection, and 64 have a log line: $name', async ({ request }) => {
    const socket = open();
    socket.write(request().repeat(500));
    await once(socket.resume(), 'close');
    const ids = () => new Set(requestLines().map(({ requestId }) => requestId));
    await expect.poll(() => ids().size).toBe(requestsPerConnection);
    expect(requestLines()).toHaveLength(requestsPerConnection);
    await expect.poll(() => service.logged.map(({ closed }) => closed)).toContain(1);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });
});

describe('the connections of a process', () => {
  it('beyond the limit are closed, counted and logged', async () => {
    const [allowed, opened] = [3, 20];
    const limited = await startTestApp({ limits: { maxConnections: allowed } });
    let closed = 0;
    const sockets = Array.from({ length: opened }, () => open(limited).on('close', () => (closed += 1)));
    await expect.poll(() => closed).toBe(opened - allowed);
    const dropped = () => limited.logged.reduce((sum, line) => sum + Number(line['dropped'] ?? 0), 0);
    await expect.poll(dropped).toBe(opened - allowed);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await limited.api.get('/v1/pets')).status).toBe(200);
    await limited.close();
  });
});
