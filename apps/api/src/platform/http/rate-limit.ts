import type { FastifyInstance, FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors/domain-error.js';
import type { Connections } from './connections.js';

const windowSeconds = 60;

/**
 * Limits each API key to `RATE_LIMIT_PER_MINUTE` in this process; 0: unlimited. Every response states the remaining quota
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function limitRate(fastify: FastifyInstance, quota: number, connections: Connections): void {
  if (quota === 0) return;
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds });
  const addHeaders = (reply: FastifyReply, remaining: number, resetSeconds: number) =>
    reply.headers({
      'RateLimit-Policy': `"requests";q=${quota};w=${windowSeconds}`,
      RateLimit: `"requests";r=${remaining};t=${resetSeconds}`,
    });
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    if (!principal) return done();
    const accept = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => {
      addHeaders(reply, remainingPoints, Math.ceil(msBeforeNext / 1000));
      done();
    };
    const reject = (rejection: unknown) => {
      if (!(rejection instanceof RateLimiterRes)) return done(rejection as Error);
      const retryAfter = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
      addHeaders(reply, 0, retryAfter);
      const message = `This API key exceeded ${quota} requests per minute. Try again in ${retryAfter} s.`;
      connections.whenOldest(reply, () => done(new DomainError('rate_limited', message, { retryAfter })));
    };
    limiter.consume(principal.apiKeyId).then(accept, reject);
  });
}
