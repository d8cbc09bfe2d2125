import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchMemory } from '@petstore/processes/process-usage.js';
import { now } from './clock.js';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { megabytes, number, percent, seconds, type Tally } from './tally.js';

const connections = 2000;
/** One key gets only half of the slots: several take them all. */
const keyCount = 4;
const goodputShare = 0.8;
const recoveryLimitMs = 2000;

drill(
  '2,000 connections with four keys that send the next request as soon as they get a response',
  { timeout: 180_000 },
  async ({ cleanup, isQuick, tally }) => {
    const service = await Service.start(cleanup);
    const created = await Promise.all(Array.from({ length: keyCount }, () => service.createKey()));
    const keys = created.map(({ key }) => key);
    const ms = isQuick ? 4000 : 15_000;
    await Flood.run(service, keys, 16, ms / 2);
    const before = await Flood.run(service, keys, 64, ms / 2);
    const stopWatching = watchMemory(service.pid);
    const result = await Flood.run(service, keys, connections, ms);
    const peaks = peaksOf(stopWatching());
    const recoveredMs = await untilRecovered(service);
    const after = await Flood.run(service, keys, 64, ms / 2);
    checkResult(result, tally);
    // Measured before and after, because a machine's speed changes.
    const best = (before.goodput + after.goodput) / 2;
    const share = result.goodput / best;
    if (isQuick) tally.note(`not checked: goodput is at least ${percent(goodputShare)} of the best`);
    else tally.expect(share >= goodputShare, `goodput fell to ${percent(share)} of the best`);
    tally.expect(
      peaks.late <= 1.3 * peaks.early,
      `memory grew from ${megabytes(peaks.early)} to ${megabytes(peaks.late)}`,
    );
    tally.expect(recoveredMs <= recoveryLimitMs, `the service recovered after ${seconds(recoveredMs)}`);
    tally.note(
      `${number(Math.round(best))} animals/s at best, goodput ${percent(share)} of the best, peak ${megabytes(peaks.late)}`,
    );
    tally.note(`slowest response ${seconds(result.slowestMs)}, recovered after ${seconds(recoveredMs)}`);
  },
);

function checkResult({ statuses, refusedWithoutRetryAfter, broken, unanswered }: Flood, tally: Tally): void {
  tally.acknowledged = statuses.get(201) ?? 0;
  tally.rejected = statuses.get(503) ?? 0;
  for (const [status, count] of statuses) {
    tally.expect(status === 201 || status === 503, `${number(count)} responses were ${status}`);
  }
  tally.expect(tally.rejected > 0, 'the flood did not take all slots');
  tally.expect(refusedWithoutRetryAfter === 0, `${number(refusedWithoutRetryAfter)} 503 responses have no Retry-After`);
  tally.expect(broken === 0, `${number(broken)} connections broke`);
  tally.expect(unanswered === 0, `${number(unanswered)} connections got no response`);
}

/** Waits until a create is as fast as before. Returns the milliseconds. */
async function untilRecovered(service: Service): Promise<number> {
  const begin = now();
  await service.client({ retries: 10 }).createPet({ name: 'Max', categoryId: 7n });
  return now() - begin;
}

/** The peak of the first half of the samples, and of the second. */
function peaksOf(samples: readonly number[]): { early: number; late: number } {
  const half = Math.ceil(samples.length / 2);
  return { early: Math.max(...samples.slice(0, half)), late: Math.max(0, ...samples.slice(half)) };
}

const host = 'Host: 127.0.0.1';
const greeting = `GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`;
const body = '{"name":"Rex","categoryId":7}';
/** The time limit for the last responses. */
const responseMs = 10_000;

/** Clients that create animals without pauses and ignore Retry-After. Each connection has one request in progress. */
class Flood {
  /** Number of responses by status. */
  readonly statuses = new Map<number, number>();
  /** Creates per second, after the first tenth of the time. */
  goodput = 0;
  /** The slowest response of any status. */
  slowestMs = 0;
  refusedWithoutRetryAfter = 0;
  /** Connections that closed while they waited for a response. */
  broken = 0;
  /** Connections that got no response within 10 s. */
  unanswered = 0;
  #isOver = false;
  #waiting = 0;

  /** The connections use the keys in turn. */
  static async run({ port }: Service, keys: readonly string[], count: number, ms: number): Promise<Flood> {
    const flood = new Flood();
    // Node accepts one connection per round of its event loop, which takes long for many of them on a busy process.
    const creates = keys.map(createWith);
    const sockets = await Promise.all(
      Array.from({ length: count }, (_, index) => flood.#connect(port, creates[index % creates.length] ?? '')),
    );
    for (const socket of sockets) socket.emit('next');
    await sleep(ms / 10);
    const [begin, before] = [performance.now(), flood.#created];
    await sleep(ms * 0.9);
    flood.goodput = ((flood.#created - before) * 1000) / (performance.now() - begin);
    flood.#isOver = true;
    for (const end = performance.now() + responseMs; performance.now() < end && flood.#waiting > 0;) await sleep(10);
    flood.unanswered = flood.#waiting;
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
    return flood;
  }

  get #created(): number {
    return this.statuses.get(201) ?? 0;
  }

  /** Resolves after the response to a first request. The event `next` of the socket sends the others. */
  async #connect(port: number, create: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let [received, sentAt] = ['', 0];
    let greet = () => {};
    const accepted = new Promise<void>((resolve) => {
      greet = resolve;
    });
    socket.on('next', () => {
      if (this.#isOver) return;
      this.#waiting += 1;
      sentAt = performance.now();
      socket.write(create, 'latin1');
    });
    socket.on('data', (data) => {
      received += data.toString('latin1');
      const head = completeHead(received);
      if (head === undefined) return;
      received = '';
      if (sentAt === 0) return greet();
      this.#waiting -= 1;
      this.#count(head, performance.now() - sentAt);
      socket.emit('next');
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.broken += 1;
        greet();
      });
    socket.write(greeting);
    await accepted;
    return socket;
  }

  #count(head: string, ms: number): void {
    const status = Number(head.slice(9, 12));
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (status === 503 && !/\r\nretry-after: \d/i.test(head)) this.refusedWithoutRetryAfter += 1;
  }
}

function createWith(key: string): string {
  const headers = [host, `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  return `POST /v1/pets HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The head of a response whose body is complete. */
function completeHead(received: string): string | undefined {
  const bodyAt = received.indexOf('\r\n\r\n') + 4;
  const head = received.slice(0, bodyAt);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return bodyAt < 4 || received.length < bodyAt + length ? undefined : head;
}
