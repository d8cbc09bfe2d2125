import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config/config.js';
import { DomainError } from '../../errors/domain-error.js';

const windowSeconds = 60;
const name = 'requests';

/**
 * Limits each API key to `RATE_LIMIT_PER_MINUTE` in this process. Every response states the remaining quota
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function limitRates(fastify: FastifyInstance, { rateLimitPerMinute: quota }: Config): void {
  if (quota === 0) return;
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds });
  fastify.addHook('onRequest', async ({ principal }, reply) => {
    // Requests without a valid key have a separate limit.
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
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new DomainError(
    'rate_limited',
    `This API key exceeded ${quota} requests per minute. Try again in ${retryAfter} s.`,
    { retryAfter, rateLimit: { name, quota, windowSeconds } },
  );
}
