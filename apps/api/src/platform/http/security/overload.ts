import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { overloaded } from '../../errors/unavailable.js';
import { RejectionLog } from '../../logging/rejection-log.js';
import { toErrorBody } from '../errors/error-response.js';
import { httpLimits } from '../server/limits.js';

const rejection = overloaded();
const body = JSON.stringify(toErrorBody(rejection));

/**
 * Rejects API requests before their body is read while the maximum is in progress. The rejection is delayed, because a
 * client that retries at once would cost more than the requests that are served.
 */
export function shedLoad(fastify: FastifyInstance, logger: Logger): void {
  const rejections = new RejectionLog(logger);
  const inProgress = new RequestsInProgress();
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    // Health checks must succeed under load, and files are cheap.
    if (!principal) return done();
    if (inProgress.count >= httpLimits.maxRequestsInProgress) {
      rejections.add(rejection.message);
      setTimeout(reject, httpLimits.rejectionDelayMs, reply);
      return;
    }
    inProgress.add(reply.raw);
    done();
  });
}

/** Counts a request until its response or its connection closes. Node closes only the first response of a connection. */
class RequestsInProgress {
  count = 0;
  private readonly ofConnection = new WeakMap<Socket, number>();

  add(response: ServerResponse): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const others = this.ofConnection.get(socket);
    if (others === undefined) socket.once('close', () => this.endAll(socket));
    this.ofConnection.set(socket, (others ?? 0) + 1);
    this.count += 1;
    response.once('close', () => this.end(socket));
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

/** Bypasses the error filter: a rejection must be cheap under load. */
function reject(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(body);
}
