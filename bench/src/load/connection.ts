import { connect, type Socket } from 'node:net';
import type { Prepared } from './response-check.js';
import { ResponseReader } from './response-reader.js';

/** The load run that a connection belongs to. */
export interface ConnectionOwner {
  readonly port: number;
  /** The next exchange, or `undefined` when the turn is over. */
  next(): Prepared | undefined;
  /** @throws Error when the response is wrong. */
  check(exchange: Prepared, response: ResponseReader, data: Buffer): void;
  /** Records a response time. */
  recordTime(ms: number): void;
  fail(error: Error): void;
  /** Called when the connection is idle until it is started again. */
  finish(): void;
}

const bufferBytes = 65_536;

/** A socket with at most one request in flight. It is read into one reused buffer. */
export class Connection {
  readonly #reader = new ResponseReader();
  readonly #buffer = Buffer.alloc(bufferBytes);
  #socket: Socket | undefined;
  #isBusy = false;
  #exchange: Prepared | undefined;
  #sentAt = 0;
  /** The start of a response that arrives in several parts. */
  #beginning: Buffer | undefined;

  constructor(private readonly owner: ConnectionOwner) {}

  /** Reuses the socket unless the server has closed it. */
  start(): void {
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
      port: this.owner.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: this.#buffer, callback },
    });
    socket.once('connect', () => this.#send());
    const fail = (error: Error) => {
      // Events of a replaced socket are ignored.
      if (this.#isBusy && socket === this.#socket) this.owner.fail(error);
    };
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('The server closed a connection without a response.')));
    return socket;
  }

  #send(): void {
    this.#exchange = this.owner.next();
    if (!this.#exchange) return this.#rest();
    this.#sentAt = performance.now();
    this.#socket?.write(this.#exchange.request);
  }

  #read(length: number, data: Buffer): boolean {
    const now = performance.now();
    try {
      if (this.#beginning) this.#take(Buffer.concat([this.#beginning, data.subarray(0, length)]), now);
      else if (this.#reader.read(data, length)) this.#response(data, length, now);
      else this.#beginning = Buffer.from(data.subarray(0, length));
    } catch (error) {
      this.owner.fail(error as Error);
    }
    return true;
  }

  #take(all: Buffer, now: number): void {
    if (this.#reader.read(all, all.length)) this.#response(all, all.length, now);
    else this.#beginning = all;
  }

  #response(data: Buffer, length: number, now: number): void {
    if (!this.#exchange || this.#reader.bodyEnd !== length) throw new Error('The server sent more than one response.');
    this.#beginning = undefined;
    this.owner.check(this.#exchange, this.#reader, data);
    this.owner.recordTime(now - this.#sentAt);
    this.#send();
  }

  #rest(): void {
    this.#isBusy = false;
    this.owner.finish();
  }
}
