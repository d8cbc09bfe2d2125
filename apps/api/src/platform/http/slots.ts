import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { overloaded, toErrorBody } from '../errors/domain-error.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import type { HttpLimits } from './limits.js';

const rejection = overloaded();
const body = JSON.stringify(toErrorBody(rejection));

interface ShedOptions {
  limits: HttpLimits;
  logger: Logger;
  /** Called for each rejected request. */
  onRejection: () => void;
}

/**
 * Rejects API requests while the maximum is in progress, or half of it for one key. So a hostile key leaves half of the
 * slots to the others. A request takes a slot once its body is complete, so that clients that never complete theirs cannot lock
 * out others. It holds the slot until its response is sent or its connection has closed.
 */
export function shedLoad(fastify: FastifyInstance, { limits, logger, onRejection }: ShedOptions): void {
  const slots = new Slots(limits);
  const rejections = new CoalescedLog((rejected) => logger.warn({ rejected }, rejection.message));
  const shed = (reply: FastifyReply) => {
    rejections.add();
    onRejection();
    // A client that retries at once would cost more than the requests that are served.
    setTimeout(reject, limits.rejectionDelayMs, reply);
  };
  // Only requests with a principal count: health checks must succeed under load, and files are cheap.
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    if (principal && slots.areTaken(principal.apiKeyId)) return shed(reply);
    done();
  });
  fastify.addHook('preValidation', (request, reply, done) => {
    const { principal, raw } = request;
    if (principal && slots.areTaken(principal.apiKeyId)) return shed(reply);
    if (principal && !raw.socket.destroyed) slots.take(principal.apiKeyId, request, reply);
    done();
  });
  const sweep = setInterval(() => slots.closeStalled(), limits.stalledCheckIntervalMs).unref();
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(sweep);
    done();
  });
}

/** `writeQueueSize` is the number of bytes that the kernel has not accepted. */
type WritingSocket = Socket & { _handle?: { writeQueueSize?: number } | null };

interface ConnectionProgress {
  requests: number;
  unsent: number;
  movedAt: number;
}

class Slots {
  private inProgress = 0;
  private readonly ofKey = new Map<number, number>();
  private readonly connections = new Map<WritingSocket, ConnectionProgress>();

  constructor(private readonly limits: HttpLimits) {}

  areTaken(apiKeyId: number): boolean {
    const { maxRequestsInProgress } = this.limits;
    return this.inProgress >= maxRequestsInProgress || (this.ofKey.get(apiKeyId) ?? 0) >= maxRequestsInProgress / 2;
  }

  take(apiKeyId: number, { raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply): void {
    this.add(apiKeyId, socket, 1);
    response.once('close', () => this.add(apiKeyId, socket, -1));
  }

  /** While slots are scarce, closes the connections whose responses have not moved for some time. */
  closeStalled(): void {
    const isScarce = this.inProgress > this.limits.maxRequestsInProgress * 0.75;
    const now = performance.now();
    for (const [socket, progress] of this.connections) {
      const unsent = socket._handle?.writeQueueSize ?? 0;
      if (unsent === 0 || unsent !== progress.unsent) Object.assign(progress, { unsent, movedAt: now });
      else if (isScarce && now - progress.movedAt >= this.limits.scarceStalledTimeoutMs) socket.destroy();
    }
  }

  private add(apiKeyId: number, socket: WritingSocket, change: 1 | -1): void {
    this.inProgress += change;
    const requests = (this.ofKey.get(apiKeyId) ?? 0) + change;
    if (requests === 0) this.ofKey.delete(apiKeyId);
    else this.ofKey.set(apiKeyId, requests);
    const progress = this.connections.get(socket) ?? { requests: 0, unsent: 0, movedAt: performance.now() };
    progress.requests += change;
    if (progress.requests === 0) this.connections.delete(socket);
    else this.connections.set(socket, progress);
  }
}

/** Bypasses the error filter: a rejection must be cheap under load. */
function reject(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(body);
}
