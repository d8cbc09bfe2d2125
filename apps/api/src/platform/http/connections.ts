import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CoalescedLog } from '../logging/coalesced-log.js';
import { Drain } from './drain.js';
import type { HttpLimits } from './limits.js';
import { logDiscarded } from './observe.js';
import { limitPipelining } from './pipelining.js';

const lowLimit = 1000;

interface DrainOptions {
  /** How long the service still accepts connections. Proxies notice the stop in this time. */
  delayMs: number;
  /** How long accepted requests may take after the delay. */
  graceMs: number;
  /** Waits for the delay. Returns whether it was skipped. */
  delay: (ms: number) => Promise<boolean>;
}

/** The connections of one server. */
export class Connections {
  private ending: Drain | undefined;
  private readonly rejected = new WeakSet<IncomingMessage>();

  constructor(
    private readonly limits: HttpLimits,
    private readonly logger: Logger,
  ) {}

  /** Limits the connections of a server, and passes its requests on to `handle`. */
  watch(server: Server, handle: RequestListener): void {
    const ending = (this.ending = new Drain(server));
    limitConnections(server, this.limits, this.logger);
    const discard = (request: IncomingMessage) => logDiscarded(request, this.logger);
    const handleInTime: RequestListener = (request, response) => {
      if (ending.isTooLate(request)) discard(request);
      else handle(request, response);
    };
    limitPipelining(server, this.limits, { handle: handleInTime, discard });
  }

  /** Whether the service will stop: then it is not ready for more requests, although it still responds. */
  get isDraining(): boolean {
    return this.ending?.hasStarted ?? false;
  }

  /** Marks a request that was answered although Node could not read all of it: Fastify sees it only as aborted. */
  reject(request: IncomingMessage): void {
    this.rejected.add(request);
  }

  isRejected(request: IncomingMessage): boolean {
    return this.rejected.has(request);
  }

  /**
   * Shuts down gracefully: completes accepted requests, and closes each connection with its next response. After a delay,
   * connections without a request stay open for one more request, because a proxy may be sending one. Without a delay, or
   * if it was skipped, they close at once. After `graceMs`, closes all remaining connections.
   */
  async drain({ delayMs, graceMs, delay }: DrainOptions): Promise<void> {
    const { ending } = this;
    ending?.start();
    const isSkipped = await delay(delayMs);
    const closesIdle = delayMs === 0 || isSkipped;
    if (!closesIdle) await ending?.settle();
    await ending?.acceptWaiting();
    const ended = ending?.stopListening();
    if (closesIdle) ending?.closeIdle();
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
    ending?.closeAll();
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
