import { connect, type Socket } from 'node:net';
import type { Prepared } from './answer-check.js';
import { AnswerReader } from './answer-reader.js';

/** Whom a connection works for. */
export interface Work {
  readonly port: number;
  /** The next exchange; none when it is time to rest. */
  next(): Prepared | undefined;
  /** @throws Error when the answer is wrong. */
  answered(exchange: Prepared, answer: AnswerReader, data: Buffer): void;
  /** Keeps how long an answer took. */
  took(ms: number): void;
  failed(error: Error): void;
  /** A connection has nothing under way, until it begins again. */
  rests(): void;
}

const bufferBytes = 65_536;

/** A socket with one request under way from when it begins until it rests, read into one buffer. */
export class Connection {
  readonly #reader = new AnswerReader();
  readonly #buffer = Buffer.alloc(bufferBytes);
  #socket: Socket | undefined;
  #isBusy = false;
  #exchange: Prepared | undefined;
  #sentAt = 0;
  /** The beginning of an answer that came in pieces. */
  #beginning: Buffer | undefined;

  constructor(private readonly work: Work) {}

  /** On the socket it has; a server may have closed one that rested for long. */
  begin(): void {
    this.#isBusy = true;
    if (this.#socket && !this.#socket.destroyed) this.#send();
    else this.#socket = this.#connect();
  }

  destroy(): void {
    this.#isBusy = false;
    this.#socket?.destroy();
  }

  #connect(): Socket {
    const callback = (length: number, data: Uint8Array) => this.#read(length, data as Buffer);
    const socket = connect({
      port: this.work.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: this.#buffer, callback },
    });
    socket.once('connect', () => this.#send());
    const fail = (error: Error) => {
      // What is still told of a socket that has been replaced does not matter.
      if (this.#isBusy && socket === this.#socket) this.work.failed(error);
    };
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the server closed a connection without an answer')));
    return socket;
  }

  #send(): void {
    this.#exchange = this.work.next();
    if (!this.#exchange) return this.#rest();
    this.#sentAt = performance.now();
    this.#socket?.write(this.#exchange.request);
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

  #rest(): void {
    this.#isBusy = false;
    this.work.rests();
  }
}
