import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config/config.js';
import { DomainError, type RateLimit } from '../errors/domain-error.js';

/** Limits each API key to `RATE_LIMIT_PER_MINUTE` in this process. Every response states the remaining quota. */
export function limitRates(fastify: FastifyInstance, { rateLimitPerMinute: quota }: Config): void {
  if (quota === 0) return;
  const limit: RateLimit = { name: 'requests', quota, windowSeconds: 60 };
  const limiter = new RateLimiterMemory({ points: quota, duration: limit.windowSeconds });
  fastify.addHook('onRequest', async ({ principal }, reply) => {
    // Requests without a valid key have a separate limit.
    if (!principal) return;
    const { remainingPoints, msBeforeNext } = await limiter.consume(principal.apiKeyId).catch((rejection: unknown) => {
      throw rejection instanceof RateLimiterRes ? tooMany(limit, rejection) : rejection;
    });
    void reply.headers(rateLimitHeaders(limit, remainingPoints, Math.ceil(msBeforeNext / 1000)));
  });
}

function tooMany(limit: RateLimit, { msBeforeNext }: RateLimiterRes): DomainError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new DomainError(
    'rate_limited',
    `This API key exceeded ${limit.quota} requests per minute. Try again in ${retryAfter} s.`,
    { retryAfter, rateLimit: limit },
  );
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-10. The quota is reset after `resetSeconds`. */
export function rateLimitHeaders({ name, quota, windowSeconds }: RateLimit, remaining: number, resetSeconds: number) {
  return {
    'RateLimit-Policy': `"${name}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
