import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../servers/service.js';

const host = 'Host: 127.0.0.1';
const greeting = `GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`;
const body = '{"name":"Rex","categoryId":7}';
/** The time limit for the last responses. */
const responseMs = 10_000;

/** Clients that create animals without pauses and ignore Retry-After. Each connection has one request in progress. */
export class Flood {
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
  static async run({ port }: Service, keys: readonly string[], connections: number, ms: number): Promise<Flood> {
    const flood = new Flood();
    // Node accepts one connection per round of its event loop, which takes long for many of them on a busy process.
    const creates = keys.map(createWith);
    const sockets = await Promise.all(
      Array.from({ length: connections }, (_, index) => flood.#connect(port, creates[index % creates.length] ?? '')),
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
    let greeted: (() => void) | undefined;
    const accepted = new Promise<void>((resolve) => {
      greeted = resolve;
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
      if (sentAt === 0) return greeted?.();
      this.#waiting -= 1;
      this.#count(head, performance.now() - sentAt);
      socket.emit('next');
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.broken += 1;
        greeted?.();
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
