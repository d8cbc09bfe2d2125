import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Controller, Get, Param } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits.js';
import { Operation } from '../../src/platform/http/access.js';
import { withController } from '../support/planted.js';
import { sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const { requestsPerConnection } = httpLimits;
const numbers = Array.from({ length: 50 }, (_, index) => index);
let started: number;
let release: () => void;
let released: Promise<void>;

@Controller('v1/held')
class HeldController {
  @Get(':number')
  @Operation({ id: 'getHeld', scope: 'read' })
  async get(@Param('number') number: string): Promise<string> {
    started += 1;
    await released;
    return number;
  }
}

let service: TestApp;
beforeAll(async () => {
  service = await withController(HeldController, () => startTestApp({ authFailuresPerMinute: 100_000 }));
});
afterAll(() => service.close());

function hold(): void {
  started = 0;
  released = new Promise((resolve) => {
    release = resolve;
  });
}

const headers = (...more: string[]) =>
  ['Host: a', `Authorization: Bearer ${service.key}`, ...more, '', ''].join('\r\n');
const held = () => numbers.map((number) => `GET /v1/held/${number} HTTP/1.1\r\n${headers()}`).join('');
const last = () => `GET /healthz HTTP/1.1\r\n${headers('Connection: close')}`;

/** A body that takes more than one read of the socket. */
function creation(number: number): string {
  const body = JSON.stringify({ name: `pet ${number}`, categoryId: 1 }).padEnd(50_000, ' ');
  return `POST /v1/pets HTTP/1.1\r\n${headers('Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`;
}

async function open(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

describe('pipelined requests', () => {
  it('run 16 at a time, and get their responses in order', async () => {
    hold();
    const responses = sendRaw(service.url, held() + last());
    await expect.poll(() => started).toBe(requestsPerConnection);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    expect(started).toBe(requestsPerConnection);
    release();
    expect((await responses).map(({ text }) => text)).toEqual([...numbers.map(String), '{"status":"ok"}']);
  });

  it('all get their responses when the client closes its side of the connection', async () => {
    hold();
    const responses = sendRaw(service.url, held(), { halfClose: true });
    release();
    expect((await responses).map(({ text }) => text)).toEqual(numbers.map(String));
  });

  it('with bodies that arrive in parts get their responses in order', async () => {
    const responses = await sendRaw(service.url, numbers.map(creation).join('') + last());
    expect(responses.map(({ status }) => status)).toEqual([...numbers.map(() => 201), 200]);
    const names = responses.slice(0, -1).map(({ text }) => (JSON.parse(text) as { name: string }).name);
    expect(names).toEqual(numbers.map((number) => `pet ${number}`));
  });

  it('are dropped while they wait if their connection closes', async () => {
    hold();
    const accepted = once(service.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const socket = await open(held());
    await expect.poll(() => started).toBe(requestsPerConnection);
    const [connection] = await accepted;
    const closed = new Promise((resolve) => {
      connection.once('close', resolve);
    });
    socket.resetAndDestroy();
    // The service does not read the connection: it notices the reset when it sends a response.
    release();
    await closed;
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    expect(started).toBeLessThan(numbers.length);
  });
});

const small = {
  'a health check': { request: () => 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', status: 200 },
  'an unknown path': { request: () => 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n', status: 404 },
  'a wrong key': { request: () => 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\n\r\n', status: 401 },
  'a valid get': { request: () => `GET /v1/pets?limit=1 HTTP/1.1\r\n${headers()}`, status: 200 },
};
const kinds = Object.entries(small).map(([name, kind]) => ({ name, ...kind }));
const allowed = requestsPerConnection + httpLimits.waitingPerConnection;

describe('a connection', () => {
  it.each(kinds)('gets all responses to $name, 50 times', async ({ request, status }) => {
    const responses = await sendRaw(service.url, request().repeat(50) + last());
    expect(responses).toHaveLength(51);
    expect(new Set(responses.slice(0, 50).map((response) => response.status))).toEqual(new Set([status]));
    expect(responses.slice(0, 50).map((response) => response.headers.get('connection'))).not.toContain('close');
  });

  it.each(kinds)('with 500 requests in one read is closed after 80 responses: $name', async ({ request, status }) => {
    const responses = await sendRaw(service.url, request().repeat(500));
    expect(responses).toHaveLength(allowed);
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([status]));
    const closing = responses.map((response) => response.headers.get('connection') === 'close');
    expect(closing.indexOf(true)).toBe(allowed - 1);
  });

  it.each(kinds)('takes turns with the others: 20 connections with 80 times $name', async ({ request }) => {
    let received = 0;
    let accepted = 0;
    const count = () => (accepted += 1);
    service.app.getHttpServer().on('connection', count);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open('')));
    const countResponses = (chunk: Buffer) => (received += String(chunk).split('HTTP/1.1 ').length - 1);
    for (const socket of sockets) socket.on('data', countResponses);
    const other = await open('');
    await expect.poll(() => accepted).toBe(21);
    service.app.getHttpServer().off('connection', count);
    for (const socket of sockets) socket.write(request().repeat(allowed));
    other.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(other, 'data');
    const share = received / (20 * allowed);
    await expect.poll(() => received).toBe(20 * allowed);
    for (const socket of [...sockets, other]) socket.destroy();
    expect(share).toBeLessThan(0.5);
  });
});
