import { connect, type Socket } from 'node:net';
import type { Prepared } from './answer-check.js';
import { AnswerReader } from './answer-reader.js';

/** Whom a connection works for. */
export interface Work {
  readonly port: number;
  /** The next exchange; none when it is time to end. */
  next(): Prepared | undefined;
  /** @throws Error when the answer is wrong. */
  answered(exchange: Prepared, answer: AnswerReader, data: Buffer): void;
  /** Keeps how long an answer took. */
  took(ms: number): void;
  failed(error: Error): void;
  ended(): void;
}

const bufferBytes = 65_536;

/** A socket with one request under way at any time, read into one buffer. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #exchange: Prepared | undefined;
  #sentAt = 0;
  /** The beginning of an answer that came in pieces. */
  #beginning: Buffer | undefined;

  constructor(private readonly work: Work) {
    const callback = (length: number, data: Uint8Array) => this.#read(length, data as Buffer);
    this.#socket = connect({
      port: work.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: Buffer.alloc(bufferBytes), callback },
    });
    this.#socket.once('connect', () => this.#send());
    this.#socket.once('error', (error) => work.failed(error));
    this.#socket.once('close', () => this.#closed());
  }

  destroy(): void {
    this.#exchange = undefined;
    this.#socket.destroy();
  }

  #send(): void {
    this.#exchange = this.work.next();
    if (!this.#exchange) return this.#end();
    this.#sentAt = performance.now();
    this.#socket.write(this.#exchange.request);
  }

  #read(length: number, data: Buffer): boolean {
    const now = performance.now();
    try {
      if (this.#beginning) this.#take(Buffer.concat([this.#beginning, data.subarray(0, length)]), now);
      else if (this.#reader.read(data, length)) this.#answer(data, length, now);
      else this.#beginning = Buffer.from(data.subarray(0, length));
    } catch (error) {
      this.work.failed(error as Error);
    }
    return true;
  }

  #take(all: Buffer, now: number): void {
    if (this.#reader.read(all, all.length)) this.#answer(all, all.length, now);
    else this.#beginning = all;
  }

  #answer(data: Buffer, length: number, now: number): void {
    if (!this.#exchange || this.#reader.bodyEnd !== length) throw new Error('more was answered than was asked for');
    this.#beginning = undefined;
    this.work.answered(this.#exchange, this.#reader, data);
    this.work.took(now - this.#sentAt);
    this.#send();
  }

  #end(): void {
    this.#socket.destroy();
    this.work.ended();
  }

  #closed(): void {
    if (this.#exchange) this.work.failed(new Error('the server closed a connection without an answer'));
  }
}
