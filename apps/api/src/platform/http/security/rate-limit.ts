import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config/config.js';
import { DomainError } from '../../errors/domain-error.js';

const windowSeconds = 60;
const name = 'requests';

/**
 * Holds each key to `RATE_LIMIT_PER_MINUTE` in this process, and says on every answer what is left
 * (draft-ietf-httpapi-ratelimit-headers-10). Where the limit is off, no request ever comes here.
 */
export function limitRates(fastify: FastifyInstance, { rateLimitPerMinute: quota }: Config): void {
  if (quota === 0) return;
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds });
  fastify.addHook('onRequest', async ({ principal }, reply) => {
    // Requests without a good key have a limit of their own.
    if (!principal) return;
    const { remainingPoints, msBeforeNext } = await limiter.consume(principal.apiKeyId).catch((limit: unknown) => {
      throw limit instanceof RateLimiterRes ? tooMany(quota, limit) : limit;
    });
    void reply
      .header('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
      .header('RateLimit', `"${name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`);
  });
}

function tooMany(quota: number, { msBeforeNext }: RateLimiterRes): DomainError {
  return new DomainError('rate_limited', `This API key may send ${quota} requests a minute; it has sent more.`, {
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    rateLimit: { name, quota, windowSeconds },
  });
}
