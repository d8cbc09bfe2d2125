import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { CoalescedLog } from '../logging/coalesced-log.js';
import type { HttpLimits } from './limits.js';

/** How long a proxy or a browser may still use an idle connection. */
const idleMs = 1000;

/** From this share of `maxConnections` on, a new connection replaces an idle one. */
const idleShare = 0.9;

/** More connections than usually wait to be accepted. */
const acceptTurns = 100;

interface QueuedRequest {
  reply: FastifyReply;
  /** Only of a request that waits: it would keep the memory of all requests in progress longer. */
  start?: () => void;
}

/** The connections of the server: their number, their requests, and their end. */
export class Connections {
  private server: Server | undefined;
  /** Whether the service will stop: then it is not ready for more requests, although it still responds. */
  isDraining = false;
  /** The requests of each connection that have no response yet, or no complete body, oldest first. */
  private readonly requests = new Map<Socket, QueuedRequest[]>();
  /** The connections without a request, oldest first. Node would count those that never had one as busy. */
  private readonly idle = new Set<Socket>();
  private readonly closed: CoalescedLog;
  private readonly closedIdle: CoalescedLog;
  private readonly dropped: CoalescedLog;

  constructor(
    private readonly limits: HttpLimits,
    logger: Logger,
  ) {
    const { requestsPerConnection, maxConnections } = limits;
    const warning = (field: 'closed' | 'dropped', text: string) =>
      new CoalescedLog((count) => logger.warn({ [field]: count }, text));
    this.closed = warning('closed', `Closed connections with ${requestsPerConnection} requests without a response.`);
    this.closedIdle = warning('closed', `Closed idle connections. The limit is ${maxConnections} connections.`);
    this.dropped = warning('dropped', `Dropped connections. The limit is ${maxConnections}.`);
  }

  /** Limits the connections, and closes each with its next response once the service stops. */
  follow(fastify: FastifyInstance): void {
    const { server } = fastify;
    this.server = server;
    // Node closes further connections at once.
    server.maxConnections = this.limits.maxConnections;
    server.on('drop', () => this.dropped.add());
    server.on('connection', (socket: Socket) => {
      this.makeRoom();
      this.requests.set(socket, []);
      this.idle.add(socket);
      socket.once('close', () => {
        this.requests.delete(socket);
        this.idle.delete(socket);
      });
    });
    fastify.addHook('onRequest', (_request, reply, done) => this.queue(reply, done));
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (this.isDraining) void reply.header('connection', 'close');
      done(null, payload);
    });
  }

  /** Before Node refuses connections, closes the one that has been idle for the longest time. */
  private makeRoom(): void {
    if (this.requests.size < this.limits.maxConnections * idleShare) return;
    const [oldest] = this.idle;
    if (!oldest) return;
    this.idle.delete(oldest);
    oldest.destroy();
    this.closedIdle.add();
  }

  /** Starts a request when those before it on its connection have their responses. Too many of them close the connection. */
  private queue(reply: FastifyReply, start: () => void): void {
    const { raw } = reply.request;
    const { socket } = raw;
    // Node would create an error with a stack for each request that it has read, which takes longer than the rest.
    if (socket.destroyed) return void raw.destroy();
    const requests = this.requests.get(socket) ?? [];
    if (requests.length >= this.limits.requestsPerConnection) {
      socket.destroy();
      return this.closed.add();
    }
    const end = () => {
      requests.shift();
      const [next] = requests;
      // Other connections have their turn first. The response may have ended the connection.
      if (next) setImmediate(() => socket.writable && next.start?.());
      else if (!socket.destroyed) this.idle.add(socket);
    };
    // What follows belongs to the request until its body is complete.
    reply.raw.once('close', () => (raw.complete ? end() : raw.once('end', end)));
    if (requests.length > 0) return void requests.push({ reply, start });
    this.idle.delete(socket);
    requests.push({ reply });
    start();
  }

  /** The request of a connection that is in progress. */
  current(socket: Socket): FastifyReply | undefined {
    return this.requests.get(socket)?.[0]?.reply;
  }

  /** From now on, each response closes its connection. */
  startDraining(): void {
    this.isDraining = true;
  }

  /** Accepts no new connections, completes the requests in progress, and after `graceMs` closes what remains. */
  async close(graceMs: number): Promise<void> {
    const { server } = this;
    // Node accepts one connection per turn of the event loop. The close resets those that still wait.
    for (let turn = 0; turn < acceptTurns; turn += 1) await nextTurn();
    const closed = new Promise((resolve) => {
      server?.close(resolve);
    });
    await Promise.race([closed, sleep(Math.min(idleMs, graceMs), undefined, { ref: false })]);
    for (const socket of this.idle) socket.destroy();
    await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
    server?.closeAllConnections();
  }
}

/**
 * Limits what remains of a body after its response: Node would read it, however long it is. A short rest is read for a while, and
 * the connection stays open. Else the service reads no more, and the response says that the connection ends.
 */
export function limitUnreadBodies(fastify: FastifyInstance, { unreadBodyBytes, unreadBodyMs }: HttpLimits): void {
  const hasLongRest = ({ raw, headers }: FastifyRequest) =>
    !raw.complete &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > unreadBodyBytes);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    // If Fastify reads the body, it would send a second response when the connection closes.
    const isRead = raw.listenerCount('data') > 0;
    if (typeof payload !== 'string' || isRead || !hasLongRest(request)) return done(null, payload);
    raw.pause();
    void reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(payload) });
    done(null, Readable.from(endLater(payload, unreadBodyMs)));
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request;
    // In the next turn, because Node resumes the socket after a response.
    if (hasLongRest(request)) setImmediate(() => raw.socket.pause().end());
    if (!raw.complete) setTimeout(() => raw.complete || raw.socket.destroy(), unreadBodyMs).unref();
    done();
  });
}

/** The whole response, whose end follows later: Node then closes the connection, and a reset could overtake the response. */
async function* endLater(body: string, ms: number): AsyncGenerator<string> {
  yield body;
  await sleep(ms, undefined, { ref: false });
}
