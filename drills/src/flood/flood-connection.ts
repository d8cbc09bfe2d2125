import { connect, type Socket } from 'node:net';

/** Receives the events of a connection. */
export interface FloodListener {
  /** The next request, or `undefined` at the end of the flood. */
  next(): string | undefined;
  responded(status: number, head: string, ms: number): void;
  /** The connection closed during a request, or was refused. */
  broke(error: Error | undefined): void;
}

const greeting = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** Sends requests in sequence on one connection, without pauses. */
export class FloodConnection {
  readonly #socket: Socket;
  #isWaiting = false;
  #isGreeting = true;
  #resolveAccepted!: () => void;
  /**
   * Resolves when the service has accepted the connection. Node accepts one per round of its event loop, which takes long
   * for many connections on a busy process.
   */
  readonly accepted = new Promise<void>((resolve) => {
    this.#resolveAccepted = resolve;
  });
  #sentAt = 0;
  #received = '';

  constructor(
    port: number,
    private readonly listener: FloodListener,
  ) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let failure: Error | undefined;
    this.#socket
      .on('connect', () => this.#socket.write(greeting))
      .on('data', (data) => this.#read(data.toString('latin1')))
      .on('error', (error) => (failure = error))
      .on('close', () => {
        if (this.#isWaiting || failure) listener.broke(failure);
        this.#isWaiting = false;
        this.#resolveAccepted();
      });
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  destroy(): void {
    this.#isWaiting = false;
    this.#socket.destroy();
  }

  /** Sends the first request. Each response then triggers the next one. */
  start(): void {
    const request = this.listener.next();
    if (request === undefined) return;
    this.#isWaiting = true;
    this.#sentAt = performance.now();
    this.#socket.write(request, 'latin1');
  }

  #read(text: string): void {
    this.#received += text;
    const bodyAt = this.#received.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return;
    const head = this.#received.slice(0, bodyAt);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < bodyAt + length) return;
    this.#received = '';
    if (this.#isGreeting) {
      this.#isGreeting = false;
      return this.#resolveAccepted();
    }
    this.#isWaiting = false;
    this.listener.responded(Number(head.slice(9, 12)), head, performance.now() - this.#sentAt);
    this.start();
  }
}
