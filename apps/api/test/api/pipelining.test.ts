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
const numbers = Array.from({ length: 100 }, (_, index) => index);
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
  service = await withController(HeldController, () => startTestApp());
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
