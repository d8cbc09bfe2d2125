import { connect, type Socket } from 'node:net';
import type { Exchange, LoadCommand, LoadJob, LoadReply, LoadResult } from './load.js';

const endOfHead = Buffer.from('\r\n\r\n');
const bufferBytes = 65_536;
/** The time for the last responses after a run. */
const lastResponseMs = 30_000;

/** An exchange in the bytes that are sent and compared. */
interface Expected {
  readonly request: Buffer;
  /** The start of the response: protocol and status. */
  readonly start: Buffer;
  readonly body: Buffer;
  readonly assignsId: boolean;
}

function toExpected({ request, status, body, assignsId = false }: Exchange): Expected {
  return {
    request: Buffer.from(request),
    start: Buffer.from(`HTTP/1.1 ${status}`),
    body: Buffer.from(body),
    assignsId,
  };
}

/** Sends requests in runs, compares every response with the expected one, and measures response times. */
class Loop {
  readonly #expected: readonly Expected[];
  readonly #connections: readonly Connection[];
  readonly #times: number[] = [];
  #created = 0;
  #idSum = 0;
  #sent = 0;
  #busy = 0;
  #seconds = 0;
  #endsAt = 0;
  #isMeasured = false;
  #settle: ((error?: Error) => void) | undefined;

  constructor({ port, connections, exchanges }: LoadJob) {
    const prepared = new Map([...new Set(exchanges)].map((exchange) => [exchange, toExpected(exchange)]));
    this.#expected = exchanges.map((exchange) => prepared.get(exchange) as Expected);
    this.#connections = Array.from({ length: connections }, () => new Connection(this, port));
  }

  /** @throws Error with the first wrong or missing response. */
  async run(ms: number, isMeasured: boolean): Promise<void> {
    const begin = performance.now();
    this.#endsAt = begin + ms;
    this.#isMeasured = isMeasured;
    this.#busy = this.#connections.length;
    const limit = setTimeout(() => {
      for (const connection of this.#connections) connection.failUnlessIdle();
    }, ms + lastResponseMs);
    await new Promise<void>((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve());
      for (const connection of this.#connections) connection.send(this.#next());
    });
    clearTimeout(limit);
    if (isMeasured) this.#seconds += (performance.now() - begin) / 1_000;
  }

  result(): LoadResult {
    const sorted = Float64Array.from(this.#times).toSorted();
    const quantile = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
    const created = { count: this.#created, idSum: this.#idSum };
    return { responses: sorted.length, seconds: this.#seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99), created };
  }

  responded(connection: Connection, ms: number): void {
    if (this.#isMeasured) this.#times.push(ms);
    if (performance.now() < this.#endsAt) return connection.send(this.#next());
    this.#busy -= 1;
    if (this.#busy === 0) this.#settle?.();
  }

  created(id: number): void {
    this.#created += 1;
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
  /** Of the request in flight. */
  #expected: Expected | undefined;
  #sentAt = 0;
  /** The start of a response that arrives in several parts. */
  #beginning: Buffer | undefined;

  constructor(
    private readonly loop: Loop,
    port: number,
  ) {
    const callback = (length: number, data: Uint8Array) => {
      this.#read((data as Buffer).subarray(0, length));
      return true;
    };
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

  failUnlessIdle(): void {
    if (this.#expected) this.#fail(this.#expected, this.#beginning ?? Buffer.alloc(0));
  }

  #read(chunk: Buffer): void {
    const expected = this.#expected;
    if (!expected) return this.loop.fail(new Error('The server sent more than one response.'));
    const data = this.#beginning ? Buffer.concat([this.#beginning, chunk]) : chunk;
    const { start, body } = expected;
    if (data.length >= start.length && start.compare(data, 0, start.length) !== 0) return this.#fail(expected, data);
    const bodyAt = data.indexOf(endOfHead) + endOfHead.length;
    // The rest of the body starts with an id of any length.
    const restAt = data.length - body.length;
    const isComplete = bodyAt >= endOfHead.length && restAt >= bodyAt && body.compare(data, restAt) === 0;
    if (!isComplete || !this.#isStart(expected, data.toString('latin1', bodyAt, restAt))) {
      this.#beginning = Buffer.from(data);
      return;
    }
    this.#beginning = undefined;
    this.#expected = undefined;
    this.loop.responded(this, performance.now() - this.#sentAt);
  }

  /** Whether the body before the expected part is right. */
  #isStart({ assignsId }: Expected, text: string): boolean {
    if (!assignsId) return text === '';
    const id = Number(/^\{"id":(\d+)$/.exec(text)?.[1]);
    if (id > 0) this.loop.created(id);
    return id > 0;
  }

  #fail({ request, start, body, assignsId }: Expected, received: Buffer): void {
    const [firstLine] = request.toString().split('\r\n', 1);
    const id = assignsId ? '{"id":…' : '';
    const expected = `${start.toString()} ${id}${body.toString('utf8', 0, 300)}`;
    const got = received.toString('utf8', 0, 1000);
    this.loop.fail(new Error(`a wrong or missing response to ${firstLine}\n  expected ${expected}\n  received ${got}`));
  }
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
