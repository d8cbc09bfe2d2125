import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Authenticator, judgeKey } from './access.js';

export type AnswerBadUrl = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;

/** A path that cannot be decoded reaches no hook: what they would have done is done here. */
export function answerBadUrl(authenticator: () => Authenticator): AnswerBadUrl {
  return (error, request, reply) => {
    void reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
    judgeKey(authenticator())(request, reply, (refusal) => void reply.send(refusal ?? error));
  };
}
