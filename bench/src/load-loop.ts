import { connect, type Socket } from 'node:net';
import type { Added, Exchange, LoadCommand, LoadJob, LoadReply, LoadResult } from './load.js';

const endOfHead = Buffer.from('\r\n\r\n');
const bufferBytes = 65_536;
/** The created animals that are compared with the database: the first ones of each thousand. */
const keptOfThousand = 64;

interface Expected extends Omit<Exchange, 'request' | 'body'> {
  readonly request: Buffer;
  readonly body: Buffer;
}

/** Sends requests in runs, compares every response with the expected one, and measures response times. */
class Loop {
  readonly #expected: readonly Expected[];
  readonly #connections: readonly Connection[];
  readonly #times: number[] = [];
  readonly #lastAdded: Added[] = [];
  #addedCount = 0;
  #idSum = 0;
  #sent = 0;
  #busy = 0;
  #seconds = 0;
  #endsAt = 0;
  #isMeasured = false;
  #settle: ((error?: Error) => void) | undefined;

  constructor({ port, connections, exchanges }: LoadJob) {
    const prepared = new Map<Exchange, Expected>();
    for (const exchange of exchanges) {
      if (prepared.has(exchange)) continue;
      const { request, body } = exchange;
      prepared.set(exchange, { ...exchange, request: Buffer.from(request), body: Buffer.from(body) });
    }
    this.#expected = exchanges.map((exchange) => prepared.get(exchange) as Expected);
    this.#connections = Array.from({ length: connections }, () => new Connection(this, port));
  }

  /** @throws Error with the first wrong or missing response. */
  async run(ms: number, isMeasured: boolean): Promise<void> {
    const begin = performance.now();
    this.#endsAt = begin + ms;
    this.#isMeasured = isMeasured;
    this.#busy = this.#connections.length;
    await new Promise<void>((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve());
      for (const connection of this.#connections) connection.send(this.#next());
    });
    if (isMeasured) this.#seconds += (performance.now() - begin) / 1_000;
  }

  result(): LoadResult {
    const sorted = Float64Array.from(this.#times).toSorted();
    const quantile = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
    const added = { count: this.#addedCount, idSum: this.#idSum, last: this.#lastAdded };
    return { responses: sorted.length, seconds: this.#seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99), added };
  }

  responded(connection: Connection, ms: number): void {
    if (this.#isMeasured) this.#times.push(ms);
    if (performance.now() < this.#endsAt) return connection.send(this.#next());
    this.#busy -= 1;
    if (this.#busy === 0) this.#settle?.();
  }

  created(id: number, body: Buffer): void {
    const place = this.#addedCount % 1_000;
    if (place < keptOfThousand) this.#lastAdded[place] = { id, body: body.toString() };
    this.#addedCount += 1;
    this.#idSum += id;
  }

  fail(error: Error): void {
    this.#settle?.(error);
  }

  #next(): Expected {
    const expected = this.#expected[this.#sent % this.#expected.length] as Expected;
    this.#sent += 1;
    return expected;
  }
}

/** A socket with at most one request in flight. It is read into one reused buffer, without allocations. */
class Connection {
  readonly #socket: Socket;
  #expected: Expected | undefined;
  #sentAt = 0;
  /** The start of a response that arrives in several parts. */
  #beginning: Buffer | undefined;
  /** `Content-Length: ` as this server writes it. */
  #lengthName: Buffer | undefined;

  constructor(
    private readonly loop: Loop,
    port: number,
  ) {
    const callback = (length: number, data: Uint8Array) => this.#read(data as Buffer, length);
    const onread = { buffer: Buffer.alloc(bufferBytes), callback };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.once('error', (error) => loop.fail(error));
    this.#socket.once('close', () => loop.fail(new Error('The server closed a connection.')));
  }

  send(expected: Expected): void {
    this.#expected = expected;
    this.#sentAt = performance.now();
    this.#socket.write(expected.request);
  }

  #read(data: Buffer, length: number): boolean {
    const all = this.#beginning ? Buffer.concat([this.#beginning, data.subarray(0, length)]) : data;
    try {
      const isComplete = this.#isResponse(all, this.#beginning ? all.length : length);
      this.#beginning = isComplete ? undefined : Buffer.from(this.#beginning ? all : data.subarray(0, length));
      if (isComplete) this.loop.responded(this, performance.now() - this.#sentAt);
    } catch (error) {
      this.loop.fail(error as Error);
    }
    return true;
  }

  /** Whether the response is complete. @throws Error if it is wrong. */
  #isResponse(data: Buffer, length: number): boolean {
    const end = data.indexOf(endOfHead);
    // Bytes after `length` may remain from earlier responses.
    if (end < 0 || end + endOfHead.length > length) return false;
    const bodyStart = end + endOfHead.length;
    const bodyEnd = bodyStart + this.#contentLength(data, end);
    if (bodyEnd > length) return false;
    const expected = this.#expected as Expected;
    const status = digit(data, 9) * 100 + digit(data, 10) * 10 + digit(data, 11);
    const isRight =
      bodyEnd === length && status === expected.status && this.#isBody(expected, data, bodyStart, bodyEnd);
    if (!isRight) throw new Error(describe(expected, data.toString('utf8', 0, Math.min(length, bodyStart + 300))));
    return true;
  }

  #isBody({ assignsId, body }: Expected, data: Buffer, start: number, end: number): boolean {
    const from = assignsId ? end - body.length : start;
    if (from < start || end - from !== body.length || body.compare(data, from, end) !== 0) return false;
    if (!assignsId) return true;
    const id = Number(/^\{"id":(\d+)$/.exec(data.toString('latin1', start, from))?.[1]);
    if (id > 0) this.loop.created(id, body);
    return id > 0;
  }

  #contentLength(data: Buffer, end: number): number {
    this.#lengthName ??= Buffer.from(
      /\r\ncontent-length: */i.exec(data.toString('latin1', 0, end))?.[0] ?? '',
      'latin1',
    );
    const at = data.indexOf(this.#lengthName);
    if (this.#lengthName.length === 0 || at < 0 || at > end) throw new Error('A response has no Content-Length.');
    let value = 0;
    for (let place = at + this.#lengthName.length; ; place += 1) {
      const next = digit(data, place);
      if (next < 0 || next > 9) return value;
      value = value * 10 + next;
    }
  }
}

function digit(data: Buffer, at: number): number {
  return (data[at] ?? 0) - 48;
}

function describe({ request, status, body, assignsId }: Expected, received: string): string {
  const [firstLine] = request.toString().split('\r\n', 1);
  const start = assignsId ? '{"id":…' : '';
  return `a wrong response to ${firstLine}\n  expected ${status} ${start}${body.toString('utf8', 0, 300)}\n  got ${received}`;
}

let loop: Loop | undefined;

async function follow(command: LoadCommand): Promise<LoadReply> {
  if ('job' in command) loop = new Loop(command.job);
  if ('run' in command) await loop?.run(command.run.ms, command.run.isMeasured);
  return 'end' in command && loop ? { result: loop.result() } : {};
}

process.on('disconnect', () => process.exit());
process.on('message', (command: LoadCommand) => {
  void follow(command).then(
    (reply) => process.send?.(reply),
    (error: Error) => process.send?.({ failure: error.message }),
  );
});
