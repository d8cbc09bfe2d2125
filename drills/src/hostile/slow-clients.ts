import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiKey } from '@petstore/processes/service-process.js';
import type { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';
import { firstResponse } from './responses.js';

const head = `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n`;
const bodyHead = `${head}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
const dripMs = 500;
/** Added to the service's limits: it checks them about once a second, and a busy machine delays the check. */
const leewayMs = 8000;

/** Kinds of slow clients, and when the service must disconnect them. */
const slowness = {
  headers: { start: head.slice(0, 60), drip: 'X', limitMs: 10_000 },
  body: { start: bodyHead, drip: ' ', limitMs: 30_000 },
} as const;

/**
 * Sends single bytes slowly on several connections (slowloris). Each must get 408, while other clients are served.
 * Returns the longest time until a connection ended, in milliseconds.
 */
export async function sendSlowly(service: Service, what: keyof typeof slowness, tally: Tally): Promise<number> {
  const { start, drip, limitMs } = slowness[what];
  const clients = await Promise.all(Array.from({ length: 100 }, () => SlowClient.open(service.port, start)));
  const begin = performance.now();
  while (clients.some(({ isOver }) => !isOver) && performance.now() - begin < limitMs + leewayMs) {
    for (const client of clients) client.write(drip);
    const { status } = await service.fetch('/v1/pets?limit=1');
    tally.expect(status === 200, `a fast client got ${status} while slow clients were connected`);
    await sleep(dripMs);
  }
  for (const client of clients) {
    tally.expect(client.isOver, `a client with slow ${what} is still connected after ${seconds(limitMs + leewayMs)}`);
    const status = firstResponse(client.received)?.status;
    tally.expect(status === 408, `a client with slow ${what} got ${status ?? 'no response'}`);
    client.destroy();
  }
  return Math.max(...clients.map(({ overAt }) => overAt - begin));
}

class SlowClient {
  received = '';
  isOver = false;
  overAt = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => (this.received += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isOver = true;
      this.overAt = performance.now();
    });
  }

  static async open(port: number, start: string): Promise<SlowClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const client = new SlowClient(socket);
    socket.write(start);
    return client;
  }

  write(text: string): void {
    if (!this.isOver) this.socket.write(text);
  }

  destroy(): void {
    this.socket.destroy();
  }
}
