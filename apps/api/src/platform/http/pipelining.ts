import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.js';

interface Listeners {
  handle: RequestListener;
  /** Called for a request that is not handled, because its connection closed or sent too many. */
  discard: (request: IncomingMessage) => void;
}

/** Of one read, which has up to 64 KiB. More than 2,000 small requests fit into those, and Node parses them without a pause. */
const maxParsedBytes = 1024;
/**
 * How long the waiting requests of all connections may run before the service reads its sockets again. Short, because Node
 * accepts one new connection each time.
 */
const turnMs = 1;
/** How long input is discarded after the last response, so that it arrives: closing at once would reset the connection. */
const lingerMs = 2000;
/** Discards one read of a connection per interval: a flood must not cost more after it was rejected. */
const discardEveryMs = 20;

/**
 * A client that pipelines requests cannot occupy the process. At most `requestsPerConnection` of its requests are handled at
 * a time, and connections take turns. The service does not read a connection while its requests wait. If one sends more than
 * `waitingPerConnection` further requests, it is closed after the responses to those.
 */
export function limitPipelining(server: Server, limits: HttpLimits, listeners: Listeners): void {
  const turns = new Turns();
  const connections = new WeakMap<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, new Connection(socket, limits, listeners, turns));
  });
  // After CONNECT and after an error, Node's parser of the connection no longer exists.
  server.on('connect', ({ socket }) => connections.get(socket)?.stopParsing());
  server.on('clientError', (_error, socket: Socket) => connections.get(socket)?.stopParsing());
  server.on('request', (request, response) => connections.get(request.socket)?.add(request, response));
}

/** Lets the connections with waiting requests start one request each in turn. */
class Turns {
  private readonly queue = new Set<Connection>();
  private isScheduled = false;

  add(connection: Connection): void {
    this.queue.add(connection);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.run());
  }

  private run(): void {
    this.isScheduled = false;
    const end = performance.now() + turnMs;
    // A Set iterates in the order of insertion: a connection that was served goes to its end.
    for (const connection of this.queue) {
      if (performance.now() >= end) break;
      this.queue.delete(connection);
      if (connection.startNext()) this.queue.add(connection);
    }
    for (const connection of this.queue) return this.add(connection);
  }
}

class Connection {
  private readonly inProgress = new Set<ServerResponse>();
  private readonly waiting: { request: IncomingMessage; response: ServerResponse }[] = [];
  /** Further input is discarded. */
  private isParsing = true;
  /** Further requests are not handled. */
  private isClosing = false;

  constructor(
    private readonly socket: Socket,
    private readonly limits: HttpLimits,
    private readonly listeners: Listeners,
    private readonly turns: Turns,
  ) {
    this.parseInParts();
    // Node resumes the socket whenever it reads a body or has sent a response.
    socket.on('resume', () => {
      if (this.isFull) socket.pause();
    });
    socket.once('close', () => this.close());
  }

  private get isFull(): boolean {
    return this.waiting.length > 0 && this.inProgress.size + this.waiting.length > this.limits.requestsPerConnection;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    if (this.isClosing) return this.listeners.discard(request);
    const { requestsPerConnection, waitingPerConnection } = this.limits;
    if (this.inProgress.size + this.waiting.length >= requestsPerConnection + waitingPerConnection) {
      this.listeners.discard(request);
      return this.closeAfterWaiting();
    }
    if (this.inProgress.size === 0 && this.waiting.length === 0) return this.start(request, response);
    this.waiting.push({ request, response });
    this.turns.add(this);
  }

  /** Returns whether another request can start. */
  startNext(): boolean {
    if (this.inProgress.size >= this.limits.requestsPerConnection) return false;
    const next = this.waiting.shift();
    if (!next) return false;
    this.start(next.request, next.response);
    if (this.waiting.length === 0) this.socket.resume();
    return this.waiting.length > 0;
  }

  private start(request: IncomingMessage, response: ServerResponse): void {
    this.inProgress.add(response);
    response.once('close', () => this.end(response));
    this.listeners.handle(request, response);
  }

  private end(response: ServerResponse): void {
    this.inProgress.delete(response);
    if (this.waiting.length > 0) this.turns.add(this);
  }

  stopParsing(): void {
    this.isParsing = false;
  }

  /** Passes a read to Node's parser in parts, because the parser does not stop before the end of its input. */
  private parseInParts(): void {
    const { socket } = this;
    const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[];
    if (!parse) return;
    socket.off('data', parse);
    socket.on('data', (chunk: Buffer) => {
      if (!this.isParsing) return this.discardSlowly();
      let start = 0;
      // Node pauses the socket when many bytes of responses wait to be sent, and parses nothing until it resumes it.
      for (; start < chunk.length && this.isParsing && !socket.isPaused(); start += maxParsedBytes) {
        parse.call(socket, chunk.subarray(start, start + maxParsedBytes));
      }
      if (start < chunk.length && this.isParsing) socket.unshift(chunk.subarray(start));
      if (this.isFull) socket.pause();
    });
  }

  private discardSlowly(): void {
    this.socket.pause();
    setTimeout(() => this.socket.resume(), discardEveryMs).unref();
  }

  /** Closes the connection after the last of its waiting requests. */
  private closeAfterWaiting(): void {
    this.stopParsing();
    this.isClosing = true;
    const last = this.waiting.at(-1);
    // Node then sends `Connection: close`, and calls destroySoon() after this response.
    if (last) last.response.shouldKeepAlive = false;
    this.socket.destroySoon = () => {
      this.socket.end();
      this.socket.resume();
      setTimeout(() => this.socket.destroy(), lingerMs).unref();
    };
  }

  private close(): void {
    for (const { request } of this.waiting.splice(0)) this.listeners.discard(request);
    // Node emits `close` only on the response that it is sending: emit it on the others too.
    for (const response of this.inProgress) {
      if (!response.socket) response.emit('close');
    }
  }
}
