import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from './clock.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { seconds, type Tally } from './tally.js';

const connections = 20;
const requestsOfRead = 2300;
const pagesOfConnection = 64;
const floodLimitMs = 5000;
const slowReaderLimitMs = 2000;
/** With JSON escapes, a page of 100 such animals has 127 KB. */
const longName = `${'\u0001'.repeat(199)}x`;

drill(
  'one client without a key that pipelines small requests, and one key that does not read its responses',
  { timeout: 180_000 },
  async ({ cleanup, isQuick, tally }) => {
    const service = await Service.start(cleanup);
    for (let count = 0; count < 100; count += 1) await service.client().createPet({ name: longName, categoryId: 7n });
    const { key } = await service.createKey('read');
    const ms = isQuick ? 3000 : 20_000;
    const flood = (signal: AbortSignal) => floodWithSmallRequests(service.port, signal);
    const flooded = await during(flood, () => requestFor(ms, service, tally));
    tally.expect(flooded <= floodLimitMs, `during the flood, a response took ${seconds(flooded)}`);
    const slow = (signal: AbortSignal) => void requestWithoutReading(service.port, key, signal);
    const starved = await during(slow, () => requestFor(ms, service, tally));
    tally.expect(starved <= slowReaderLimitMs, `while a key read nothing, a response took ${seconds(starved)}`);
    tally.note(`slowest responses: ${seconds(flooded)} and ${seconds(starved)}`);
  },
);

async function during<Result>(attack: (signal: AbortSignal) => void, use: () => Promise<Result>): Promise<Result> {
  const stopping = new AbortController();
  // One per connection.
  setMaxListeners(0, stopping.signal);
  attack(stopping.signal);
  try {
    return await use();
  } finally {
    stopping.abort();
  }
}

/** Sends requests of another client, which must all succeed. Returns the time of the slowest in milliseconds. */
async function requestFor(ms: number, service: Service, tally: Tally): Promise<number> {
  const client = service.client({ retries: 0 });
  let slowest = 0;
  const send = async (request: () => Promise<unknown>) => {
    const start = now();
    await request().catch((error: Error) => tally.expect(false, `another client got: ${error.message}`));
    slowest = Math.max(slowest, now() - start);
  };
  const sent: Promise<void>[] = [];
  for (const end = now() + ms; now() < end; await sleep(100)) {
    const create = () => client.createPet({ name: 'Rex', categoryId: 7n }).then(() => (tally.acknowledged += 1));
    sent.push(
      send(() => client.listPets({ limit: 20 }).page()),
      send(create),
    );
  }
  await Promise.all(sent);
  return slowest;
}

/** Pipelines small requests without a key, as many as one read has. Connects again whenever the service disconnects. */
function floodWithSmallRequests(port: number, signal: AbortSignal): void {
  const bytes = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requestsOfRead);
  const open = () => {
    if (signal.aborted) return;
    const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => undefined);
    socket.resume().write(bytes);
    socket.on('close', () => setTimeout(open, 10));
  };
  for (let index = 0; index < connections; index += 1) open();
}

/** Opens 15 connections per second that request large pages and read nothing. */
async function requestWithoutReading(port: number, key: string, signal: AbortSignal): Promise<void> {
  const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  while (!signal.aborted) {
    // A socket without a listener for data does not read.
    const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => undefined);
    socket.write(request.repeat(pagesOfConnection));
    await sleep(1000 / 15);
  }
}
