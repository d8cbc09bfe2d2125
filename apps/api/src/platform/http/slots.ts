import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { overloaded } from '../errors/unavailable.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import { toErrorBody } from './error.filter.js';
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
 * Rejects API requests while the maximum is in progress. A request takes a slot once its body is complete, so that
 * clients that never complete theirs cannot lock out others.
 */
export function shedLoad(fastify: FastifyInstance, { limits, logger, onRejection }: ShedOptions): void {
  const { maxRequestsInProgress, rejectionDelayMs } = limits;
  const rejections = new CoalescedLog((rejected) => logger.warn({ rejected }, rejection.message));
  let inProgress = 0;
  const shed = (reply: FastifyReply) => {
    rejections.add();
    onRejection();
    // A client that retries at once would cost more than the requests that are served.
    setTimeout(reject, rejectionDelayMs, reply);
  };
  // Only requests with a principal count: health checks must succeed under load, and files are cheap.
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    if (principal && inProgress >= maxRequestsInProgress) return shed(reply);
    done();
  });
  fastify.addHook('preValidation', ({ principal, raw }, reply, done) => {
    if (principal && inProgress >= maxRequestsInProgress) return shed(reply);
    if (principal && !raw.socket.destroyed) {
      inProgress += 1;
      reply.raw.once('close', () => (inProgress -= 1));
    }
    done();
  });
}

/** Bypasses the error filter: a rejection must be cheap under load. */
function reject(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(body);
}
