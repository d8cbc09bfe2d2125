import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { CoalescedLog } from '../logging/coalesced-log.js';
import type { HttpLimits } from './limits.js';
import { logDiscarded } from './observe.js';
import { limitPipelining } from './pipelining.js';

const lowLimit = 1000;
const sweepMs = 50;

/** The connections of one server. */
export class Connections {
  private server: Server | undefined;
  /** Connections without a request, which browsers open in advance: Node does not count them as idle. */
  private readonly unused = new Set<Socket>();
  private readonly rejected = new WeakSet<IncomingMessage>();

  constructor(
    private readonly limits: HttpLimits,
    private readonly logger: Logger,
  ) {}

  /** Limits the connections of a server, and passes its requests on to `handle`. */
  watch(server: Server, handle: RequestListener): void {
    this.server = server;
    server.on('connection', (socket: Socket) => {
      this.unused.add(socket.once('close', () => this.unused.delete(socket)));
    });
    server.on('request', ({ socket }) => this.unused.delete(socket));
    limitConnections(server, this.limits, this.logger);
    const discard = (request: IncomingMessage) => logDiscarded(request, this.logger);
    limitPipelining(server, this.limits, { handle, discard });
  }

  /** Marks a request that was answered although Node could not read all of it: Fastify sees it only as aborted. */
  reject(request: IncomingMessage): void {
    this.rejected.add(request);
  }

  isRejected(request: IncomingMessage): boolean {
    return this.rejected.has(request);
  }

  /** Closes the connections on which no request is in progress. */
  closeIdle(): void {
    this.server?.closeIdleConnections();
    for (const socket of this.unused) socket.destroy();
  }

  closeAll(): void {
    this.server?.closeAllConnections();
  }
}

/**
 * Shuts down gracefully: accepts no new connections, completes accepted requests, then closes their connections. After
 * `graceMs`, closes all remaining connections.
 */
export async function drain(app: NestFastifyApplication, graceMs: number): Promise<void> {
  const connections = app.get(Connections);
  // Repeatedly, because a connection that is busy now becomes idle later.
  const sweep = setInterval(() => connections.closeIdle(), sweepMs);
  const closed = app.close();
  try {
    await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
  } finally {
    clearInterval(sweep);
    connections.closeAll();
    // After the grace period, the result is ignored.
    closed.catch(() => undefined);
  }
}

/** Limits the connections to what the process can open. Node closes further ones at once. */
function limitConnections(server: Server, limits: HttpLimits, logger: Logger): void {
  const descriptors = descriptorLimit();
  const available = Math.max(1, descriptors - limits.reservedDescriptors);
  const maxConnections = Math.min(available, limits.maxConnections);
  if (descriptors < lowLimit) {
    logger.warn(
      { maxConnections },
      `This process may open only ${descriptors} files and connections. Raise the limit (ulimit -n) to ${lowLimit} or more.`,
    );
  }
  const drops = new CoalescedLog((dropped) =>
    logger.warn({ dropped }, `Dropped ${dropped} connections. The limit is ${maxConnections}.`),
  );
  server.on('drop', () => drops.add());
  if (cluster.isWorker) closeFurther(server, maxConnections);
  else server.maxConnections = maxConnections;
}

/** In a worker, `maxConnections` passes a connection on to the next worker, without end when all are full. */
function closeFurther(server: Server, maxConnections: number): void {
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    if (connections >= maxConnections) {
      server.emit('drop');
      socket.destroy();
      return;
    }
    connections += 1;
    socket.once('close', () => (connections -= 1));
  });
}

/** How many files and connections this process may open. */
function descriptorLimit(): number {
  // Node raises the soft limit to the hard limit at start, and has no function that returns it.
  const limits = process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : '';
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Infinity : Number(soft);
}
