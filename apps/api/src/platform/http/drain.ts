import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** A turn of the event loop that takes longer has handled something, and connections may have arrived meanwhile. */
const idleTurnMs = 0.1;
/** A service with much load may have no idle turn. */
const maxAcceptMs = 200;
/** Long enough for the clients of a proxy to use each connection again. */
const settleMs = 100;

interface ConnectionState {
  /** `false` for connections that browsers open in advance: Node does not count them as idle. */
  isUsed: boolean;
  /** The response to its latest request, while that is in progress. */
  latest: ServerResponse | undefined;
}

/** Ends the connections of a server that will stop, each with its last response. */
export class Drain {
  private isStarted = false;
  private closesResponses = false;
  private closesIdle = false;
  /**
   * The open connections. Requests change the object of a connection, not the Map. A changed Map leaves dead tables, which
   * keep responses alive until the next full collection. Measured: a third of the CPU time of a get.
   */
  private readonly connections = new Map<Socket, ConnectionState>();
  /** Requests after the last response of their connection. */
  private readonly tooLate = new WeakSet<IncomingMessage>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { isUsed: false, latest: undefined });
      socket.once('close', () => this.connections.delete(socket));
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
    this.closeResponses();
  }

  /**
   * Keeps connections open for a moment. A proxy then opens none while the listener closes: the kernel would reset those that
   * the service has not accepted.
   */
  async settle(): Promise<void> {
    this.closesResponses = false;
    await sleep(settleMs);
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

  /** Accepts no new connections, and closes each one with its next response. Resolves when all have ended. */
  stopListening(): Promise<void> {
    this.closeResponses();
    // http.Server.close() would also close the connections without a request.
    return new Promise((resolve) => {
      NetServer.prototype.close.call(this.server, () => resolve());
    });
  }

  /** Closes connections from now on when they have no request in progress. */
  closeIdle(): void {
    this.closesIdle = true;
    this.server.closeIdleConnections();
    this.closeUnused();
  }

  closeAll(): void {
    this.server.closeAllConnections();
    this.closeUnused();
  }

  /** Whether a request must not be handled, because its response could not be sent. */
  isTooLate(request: IncomingMessage): boolean {
    return this.tooLate.has(request);
  }

  private add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.connections.get(socket);
    // It has closed.
    if (!connection) return;
    connection.isUsed = true;
    const earlier = connection.latest;
    if (this.isStarted) {
      if (earlier?.headersSent && earlier.getHeader('connection') === 'close') {
        this.tooLate.add(request);
        return;
      }
      // The client pipelines requests: the connection must stay open for this response.
      if (earlier && !earlier.headersSent) earlier.setHeader('connection', 'keep-alive');
      if (this.closesResponses) closeAfter(response);
    }
    connection.latest = response;
    response.once('close', () => {
      if (connection.latest !== response) return;
      connection.latest = undefined;
      // The headers were sent before the drain, without `Connection: close`.
      if (this.closesIdle) socket.destroySoon();
    });
  }

  private closeResponses(): void {
    this.closesResponses = true;
    for (const { latest } of this.connections.values()) if (latest) closeAfter(latest);
  }

  private closeUnused(): void {
    for (const [socket, { isUsed }] of this.connections) if (!isUsed) socket.destroy();
  }
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
