import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { CoalescedLog } from '../logging/coalesced-log.js';
import { LOGGER } from '../logging/logger.js';
import { HTTP_LIMITS, type HttpLimits } from './limits.js';

/** How long a proxy or a browser may still use an idle connection. */
const idleMs = 1000;

/** From this share of `maxConnections` on, a new connection replaces an idle one. */
const idleShare = 0.9;

/** More connections than usually wait to be accepted. */
const acceptTurns = 100;

/** The connections of the server: their number, their requests without a response, and their end. */
@Injectable()
export class Connections {
  private server: Server | undefined;
  private draining = false;
  /** The requests of each connection that have no response yet, or no complete body, oldest first. */
  private readonly unanswered = new WeakMap<Socket, FastifyReply[]>();
  /** What to do when a request is the oldest one of its connection. */
  private readonly waiting = new WeakMap<FastifyReply, () => void>();
  private count = 0;
  /** The connections without a request, oldest first. Node would count those that never had one as busy. */
  private readonly idle = new Set<Socket>();
  private readonly closed: CoalescedLog;
  private readonly closedIdle: CoalescedLog;
  private readonly dropped: CoalescedLog;

  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { requestsPerConnection, maxConnections } = limits;
    const warning = (field: 'closed' | 'dropped', text: string) =>
      new CoalescedLog((count) => logger.warn({ [field]: count }, text));
    this.closed = warning('closed', `Closed connections with ${requestsPerConnection} requests without a response.`);
    this.closedIdle = warning('closed', `Closed idle connections. The limit is ${maxConnections} connections.`);
    this.dropped = warning('dropped', `Dropped connections. The limit is ${maxConnections}.`);
  }

  watch(server: Server): void {
    this.server = server;
    // Node closes further connections at once.
    server.maxConnections = this.limits.maxConnections;
    server.on('drop', () => this.dropped.add());
    server.on('connection', (socket: Socket) => {
      const unanswered: FastifyReply[] = [];
      this.unanswered.set(socket, unanswered);
      this.makeRoom();
      this.count += 1;
      this.idle.add(socket);
      socket.once('close', () => {
        this.count -= 1;
        this.idle.delete(socket);
        // Node emits `close` only on the response that it is sending.
        for (const { raw } of unanswered.filter((reply) => !reply.raw.socket)) raw.emit('close');
      });
    });
  }

  /** Before Node refuses connections, closes the one that has been idle for the longest time. */
  private makeRoom(): void {
    if (this.count < this.limits.maxConnections * idleShare) return;
    const [oldest] = this.idle;
    if (!oldest) return;
    this.idle.delete(oldest);
    oldest.destroy();
    this.closedIdle.add();
  }

  /**
   * Counts a request. Closes its connection and returns `false` if too many of its requests have no response. Node still
   * reads the requests that it has received: they must cost as little as possible.
   */
  add(reply: FastifyReply): boolean {
    const { raw } = reply.request;
    const { socket } = raw;
    if (socket.destroyed) {
      // Node would create an error with a stack for each, which takes longer than the rest of the request.
      raw.destroy();
      return false;
    }
    const unanswered = this.unanswered.get(socket) ?? [];
    if (unanswered.length >= this.limits.requestsPerConnection) {
      socket.destroy();
      this.closed.add();
      return false;
    }
    this.idle.delete(socket);
    unanswered.push(reply);
    const end = () => {
      unanswered.shift();
      const next = unanswered[0] && this.waiting.get(unanswered[0]);
      // Other connections have their turn first.
      if (next) setImmediate(next);
      if (unanswered.length === 0 && !socket.destroyed) this.idle.add(socket);
    };
    // Node sends the responses of a connection in order. What follows belongs to the request until its body is complete.
    reply.raw.once('close', () => (raw.complete ? end() : raw.once('end', end)));
    return true;
  }

  /** Runs a task when the earlier requests of the connection have their responses. */
  whenOldest(reply: FastifyReply, task: () => void): void {
    if (this.oldest(reply.request.raw.socket) === reply) task();
    else this.waiting.set(reply, task);
  }

  /** The oldest request of a connection that has no response yet, or no complete body. */
  oldest(socket: Socket): FastifyReply | undefined {
    return this.unanswered.get(socket)?.[0];
  }

  /** From now on, the last response of each connection closes it. */
  startDraining(): void {
    this.draining = true;
  }

  /** Whether the service will stop: then it is not ready for more requests, although it still responds. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** Whether the response ends its connection. A client that pipelines requests gets the responses to all of them. */
  isLast(reply: FastifyReply): boolean {
    return this.draining && this.unanswered.get(reply.request.raw.socket)?.at(-1) === reply;
  }

  /** Accepts no new connections, completes the accepted requests, and after `graceMs` closes what remains. */
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

/** Counts the requests of each connection, and closes it with its last response once the service stops. */
export function followConnections(fastify: FastifyInstance, connections: Connections): void {
  connections.watch(fastify.server);
  fastify.addHook('onRequest', (_request, reply, done) => {
    // Otherwise the connection is closed, and the request gets no response.
    if (connections.add(reply)) done();
  });
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (connections.isLast(reply)) void reply.header('connection', 'close');
    if (!(payload instanceof Readable) || !raw.socket.destroyed) return done(null, payload);
    // Node does not close a response that waits for others (HTTP pipelining). If its client is gone, its file would stay open.
    // The file may still fail to open, for example beyond the limit of open files.
    payload.on('error', () => undefined).destroy();
    done(null, null);
  });
}
