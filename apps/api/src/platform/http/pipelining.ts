import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.js';

interface Listeners {
  handle: RequestListener;
  /** Called for a request whose connection closed while it waited. */
  discard: (request: IncomingMessage) => void;
}

/**
 * Passes at most `requestsPerConnection` requests of a connection to `handle` at a time. The next ones wait, and the
 * connection is not read meanwhile: a client that pipelines requests cannot occupy the process.
 */
export function limitPipelining(server: Server, { requestsPerConnection }: HttpLimits, listeners: Listeners): void {
  const connections = new WeakMap<Socket, Connection>();
  server.on('request', (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = new Connection(socket, requestsPerConnection, listeners)));
    connection.add(request, response);
  });
}

class Connection {
  private readonly inProgress = new Set<ServerResponse>();
  /** At most the requests of one read, which is 64 KiB. */
  private readonly waiting: { request: IncomingMessage; response: ServerResponse }[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly maxInProgress: number,
    private readonly listeners: Listeners,
  ) {
    // Node resumes the socket whenever it reads a body or has sent a response.
    socket.on('resume', () => {
      if (this.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => this.close());
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    if (this.inProgress.size < this.maxInProgress) return this.start(request, response);
    this.waiting.push({ request, response });
    this.socket.pause();
  }

  private start(request: IncomingMessage, response: ServerResponse): void {
    this.inProgress.add(response);
    response.once('close', () => this.end(response));
    this.listeners.handle(request, response);
  }

  private end(response: ServerResponse): void {
    this.inProgress.delete(response);
    const next = this.waiting.shift();
    if (!next) return;
    this.start(next.request, next.response);
    if (this.waiting.length === 0) this.socket.resume();
  }

  private close(): void {
    for (const { request } of this.waiting.splice(0)) this.listeners.discard(request);
    // Node emits `close` only on the response that it is sending: emit it on the others too.
    for (const response of this.inProgress) {
      if (!response.socket) response.emit('close');
    }
  }
}
