import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A turn of the event loop that takes longer has handled something, and connections may have arrived meanwhile. */
const idleTurnMs = 0.1;
/** A service with much load may have no idle turn. */
const maxAcceptMs = 200;

/** Ends the connections of a server that will stop, each with its last response. */
export class Drain {
  private isStarted = false;
  private closesIdle = false;
  /** The response to the latest request of each connection that has a request in progress. */
  private readonly latest = new Map<Socket, ServerResponse>();
  /** Requests after the last response of their connection. */
  private readonly tooLate = new WeakSet<IncomingMessage>();

  /** Connections without a request, which browsers open in advance: Node does not count them as idle. */
  private readonly unused = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.unused.add(socket.once('close', () => this.unused.delete(socket)));
    });
    server.on('request', (request, response) => this.add(request, response));
  }

  /** Whether the server will stop: then it is not ready for more requests, although it still responds. */
  get hasStarted(): boolean {
    return this.isStarted;
  }

  /** From now on, the response to the latest request of each connection closes it. */
  start(): void {
    this.isStarted = true;
    for (const response of this.latest.values()) closeAfter(response);
  }

  /**
   * Accepts the connections that wait in the queue of the listener, for at most 200 ms: closing it resets them. Node accepts
   * one connection per turn of the event loop, and does not show the queue. After a turn without events, it is most probably empty.
   */
  async acceptWaiting(): Promise<void> {
    const deadline = performance.now() + maxAcceptMs;
    // The first turn may have begun before.
    await nextTurn();
    for (let isIdle = false; !isIdle && performance.now() < deadline;) {
      const start = performance.now();
      await nextTurn();
      isIdle = performance.now() - start < idleTurnMs;
    }
  }

  /** Accepts no new connections. Resolves when all have ended. */
  stopListening(): Promise<void> {
    // http.Server.close() would also close the connections without a request.
    return new Promise((resolve) => {
      NetServer.prototype.close.call(this.server, () => resolve());
    });
  }

  /** Closes connections from now on when they have no request in progress. */
  closeIdle(): void {
    this.closesIdle = true;
    this.server.closeIdleConnections();
    for (const socket of this.unused) socket.destroy();
  }

  closeAll(): void {
    this.server.closeAllConnections();
    for (const socket of this.unused) socket.destroy();
  }

  /** Whether a request must not be handled, because its response could not be sent. */
  isTooLate(request: IncomingMessage): boolean {
    return this.tooLate.has(request);
  }

  private add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.unused.delete(socket);
    const earlier = this.latest.get(socket);
    if (this.isStarted) {
      if (earlier?.headersSent && earlier.getHeader('connection') === 'close') {
        this.tooLate.add(request);
        return;
      }
      // The client pipelines requests: the connection must stay open for this response.
      if (earlier && !earlier.headersSent) earlier.setHeader('connection', 'keep-alive');
      closeAfter(response);
    }
    this.latest.set(socket, response);
    response.once('close', () => this.end(socket, response));
  }

  private end(socket: Socket, response: ServerResponse): void {
    if (this.latest.get(socket) !== response) return;
    this.latest.delete(socket);
    // The headers were sent before the drain, without Connection: close.
    if (this.closesIdle) socket.destroySoon();
  }
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
