import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Controller, Get, Param } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/server/limits.js';
import { RequireScope } from '../../src/platform/http/security/access.js';
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
  @RequireScope('read')
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
  it('are handled 16 at a time, and all are answered in their order', async () => {
    hold();
    const answers = sendRaw(service.url, held() + last());
    await expect.poll(() => started).toBe(requestsPerConnection);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    expect(started).toBe(requestsPerConnection);
    release();
    expect((await answers).map(({ text }) => text)).toEqual([...numbers.map(String), '{"status":"ok"}']);
  });

  it('are all answered when the client ends its side', async () => {
    hold();
    const answers = sendRaw(service.url, held(), { halfClose: true });
    release();
    expect((await answers).map(({ text }) => text)).toEqual(numbers.map(String));
  });

  it('with bodies that arrive in parts are answered in their order', async () => {
    const answers = await sendRaw(service.url, numbers.map(creation).join('') + last());
    expect(answers.map(({ status }) => status)).toEqual([...numbers.map(() => 201), 200]);
    const names = answers.slice(0, -1).map(({ text }) => (JSON.parse(text) as { name: string }).name);
    expect(names).toEqual(numbers.map((number) => `pet ${number}`));
  });

  it('that wait are not handled once their connection has closed', async () => {
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
