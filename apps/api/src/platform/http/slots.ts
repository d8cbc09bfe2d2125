import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { overloaded, toErrorBody } from '../errors/domain-error.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { HttpLimits } from './limits.js';

const rejection = overloaded();
const body = JSON.stringify(toErrorBody(rejection));

interface SlotOptions {
  limits: HttpLimits;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Rejects API requests while the maximum is in progress, or half of it for one key. So a hostile key leaves half of the
 * slots to the others. A request holds its slot until its response is sent or its connection has closed. Only requests with
 * a principal count: health checks must succeed under load, and files are cheap.
 */
export function limitRequestsInProgress(fastify: FastifyInstance, options: SlotOptions): void {
  const slots = new Slots(options);
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    if (principal && slots.areTaken(principal.apiKeyId)) slots.reject(reply);
    else done();
  });
  // Once the body is complete: clients that never complete theirs cannot lock out others.
  fastify.addHook('preValidation', ({ principal, raw }, reply, done) => {
    if (!principal) return done();
    if (slots.areTaken(principal.apiKeyId)) return slots.reject(reply);
    if (!raw.socket.destroyed) slots.take(principal.apiKeyId, reply);
    done();
  });
}

class Slots {
  private inProgress = 0;
  private readonly ofKey = new Map<number, number>();
  private readonly rejections: CoalescedLog;

  constructor(private readonly options: SlotOptions) {
    this.rejections = new CoalescedLog((rejected) => options.logger.warn({ rejected }, rejection.message));
  }

  areTaken(apiKeyId: number): boolean {
    const { maxRequestsInProgress } = this.options.limits;
    return this.inProgress >= maxRequestsInProgress || (this.ofKey.get(apiKeyId) ?? 0) >= maxRequestsInProgress / 2;
  }

  take(apiKeyId: number, reply: FastifyReply): void {
    this.add(apiKeyId, 1);
    reply.raw.once('close', () => this.add(apiKeyId, -1));
  }

  private add(apiKeyId: number, change: 1 | -1): void {
    this.inProgress += change;
    this.ofKey.set(apiKeyId, (this.ofKey.get(apiKeyId) ?? 0) + change);
  }

  reject(reply: FastifyReply): void {
    this.rejections.add();
    this.options.metrics.shedRequests.inc();
    // A client that retries at once would cost more than the requests that are served.
    setTimeout(sendRejection, this.options.limits.rejectionDelayMs, reply);
  }
}

/** Bypasses the error filter: a rejection must be cheap under load. */
function sendRejection(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(body);
}
