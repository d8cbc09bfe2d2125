import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestService } from '@petstore/processes/test-service.js';
import { expect } from 'vitest';
import { now } from './clock.js';
import { clientOf, drill, figures, isQuick } from './drill.js';

const floodLimitMs = 5000;
const slowReaderLimitMs = 2000;
/** With JSON escapes, a page of 100 such animals has 127 KB. */
const longName = `${'\u0001'.repeat(199)}x`;

drill(
  'one client without a key that pipelines small requests, and one key that does not read its responses',
  { timeout: 180_000 },
  async ({ annotate, cleanup }) => {
    const service = await TestService.start(cleanup);
    const client = clientOf(service.url);
    for (let count = 0; count < 100; count += 1) await client.createPet({ name: longName, categoryId: 7n });
    const key = await service.createKey('read');
    const flooded = await during((signal) => floodWithSmallRequests(service.port, signal), service);
    const starved = await during((signal) => void requestWithoutReading(service.port, key, signal), service);
    expect(flooded).toBeLessThanOrEqual(floodLimitMs);
    expect(starved).toBeLessThanOrEqual(slowReaderLimitMs);
    await annotate(figures({ 'slowest response in ms': flooded, 'next to the slow reader': starved }));
  },
);

/** Sends requests of another client, which must all succeed. Returns the milliseconds of the slowest. */
async function during(attack: (signal: AbortSignal) => void, { url }: TestService): Promise<number> {
  const stopping = new AbortController();
  // One per connection.
  setMaxListeners(0, stopping.signal);
  attack(stopping.signal);
  const client = clientOf(url, { retries: 0 });
  const measure = async (request: Promise<unknown>) => {
    const begin = now();
    await request;
    return now() - begin;
  };
  const times: Promise<number>[] = [];
  for (const end = now() + (isQuick ? 3000 : 20_000); now() < end; await sleep(100)) {
    const requests = [client.listPets({ limit: 20 }).page(), client.createPet({ name: 'Rex', categoryId: 7n })];
    times.push(...requests.map((request) => measure(request)));
  }
  try {
    return Math.max(...(await Promise.all(times)));
  } finally {
    stopping.abort();
  }
}

/** Pipelines small requests without a key, as many as one read has. Connects again whenever the service disconnects. */
function floodWithSmallRequests(port: number, signal: AbortSignal): void {
  const bytes = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2300);
  const open = () => {
    if (signal.aborted) return;
    const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => undefined);
    socket.resume().write(bytes);
    socket.on('close', () => setTimeout(open, 10));
  };
  for (let connections = 0; connections < 20; connections += 1) open();
}

/** Opens 15 connections per second that request 64 large pages each and read nothing. */
async function requestWithoutReading(port: number, key: string, signal: AbortSignal): Promise<void> {
  const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  while (!signal.aborted) {
    // A socket without a listener for data does not read.
    const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => undefined);
    socket.write(request.repeat(64));
    await sleep(1000 / 15);
  }
}
