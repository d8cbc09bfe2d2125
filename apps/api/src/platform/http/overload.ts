import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '../errors/domain-error.js';
import { RefusalLog } from '../logging/refusal-log.js';
import { toErrorBody } from './error-answer.js';
import { httpLimits } from './limits.js';

const message = 'More requests came than can be served right now; try again.';
const body = JSON.stringify(toErrorBody(new DomainError('service_unavailable', message)));

/**
 * Turns API requests away before their body is read while as many are under way as can be served in good time. Not at once:
 * a client that asks again whatever it is told would cost more than those who are served.
 */
export function shedLoad(fastify: FastifyInstance, logger: Logger): void {
  const refusals = new RefusalLog(logger);
  let underWay = 0;
  const end = () => void (underWay -= 1);
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    // Whether it lives has to be answered above all then, and files cost little.
    if (!principal) return done();
    if (underWay >= httpLimits.requestsUnderWay) {
      refusals.add(message);
      setTimeout(refuse, httpLimits.refusalDelayMs, reply);
      return;
    }
    underWay += 1;
    reply.raw.once('close', end);
    done();
  });
}

/** Without the error filter: what it costs to say no decides how much is left for the others. */
function refuse(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(body);
}
