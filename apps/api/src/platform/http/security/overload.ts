import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { overloaded } from '../../errors/unavailable.js';
import { RefusalLog } from '../../logging/refusal-log.js';
import { toErrorBody } from '../errors/error-answer.js';
import { httpLimits } from '../server/limits.js';

const refusal = overloaded();
const body = JSON.stringify(toErrorBody(refusal));

/**
 * Turns API requests away before their body is read while as many are under way as can be served in good time. Not at once:
 * a client that asks again whatever it is told would cost more than those who are served.
 */
export function shedLoad(fastify: FastifyInstance, logger: Logger): void {
  const refusals = new RefusalLog(logger);
  const underWay = new RequestsUnderWay();
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    // Whether it lives has to be answered above all then, and files cost little.
    if (!principal) return done();
    if (underWay.count >= httpLimits.requestsUnderWay) {
      refusals.add(refusal.message);
      setTimeout(refuse, httpLimits.refusalDelayMs, reply);
      return;
    }
    underWay.add(reply.raw);
    done();
  });
}

/** Each from its arrival until its answer is closed, or its connection: Node closes only the answer whose turn it is. */
class RequestsUnderWay {
  count = 0;
  private readonly ofConnection = new WeakMap<Socket, number>();

  add(answer: ServerResponse): void {
    const { socket } = answer.req;
    if (socket.destroyed) return;
    const others = this.ofConnection.get(socket);
    if (others === undefined) socket.once('close', () => this.endAll(socket));
    this.ofConnection.set(socket, (others ?? 0) + 1);
    this.count += 1;
    answer.once('close', () => this.end(socket));
  }

  private end(socket: Socket): void {
    const left = this.ofConnection.get(socket);
    if (left === undefined) return;
    this.ofConnection.set(socket, left - 1);
    this.count -= 1;
  }

  private endAll(socket: Socket): void {
    this.count -= this.ofConnection.get(socket) ?? 0;
    this.ofConnection.delete(socket);
  }
}

/** Without the error filter: what it costs to say no decides how much is left for the others. */
function refuse(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(body);
}
