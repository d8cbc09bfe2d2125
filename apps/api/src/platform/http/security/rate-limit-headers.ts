import type { RateLimit } from '../../errors/domain-error.js';

/** The headers of draft-ietf-httpapi-ratelimit-headers-10. The quota is reset after `resetSeconds`. */
export function rateLimitHeaders({ name, quota, windowSeconds }: RateLimit, remaining: number, resetSeconds: number) {
  return {
    'RateLimit-Policy': `"${name}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
