import type { FastifyReply, onRequestHookHandler, preValidationHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError, overloaded, type RateLimit, toErrorBody } from '../errors/domain-error.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Principal } from './operation.js';

/** Fixed limits of the HTTP server, next to the setting BODY_LIMIT_BYTES. Tests pass others to `createApp`. */
export const httpLimits = {
  /** Longer than the idle time of common reverse proxies (60 s), so that they close first. */
  keepAliveTimeoutMs: 75_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /**
   * Closes a connection on which no byte moves while a request is in progress. Longer than the timeouts above, which
   * send a 408 first.
   */
  stalledTimeoutMs: 40_000,
  headerBytes: 16_384,
  /** How often Node checks the timeouts of headers and requests. */
  connectionsCheckIntervalMs: 1000,
  /** Requests of one connection without a response (HTTP pipelining). A connection that sends more is closed at once. */
  requestsPerConnection: 64,
  maxConnections: 10_000,
  /**
   * How much of a body the service reads after its response, and for how long: a client in the middle of a body can read
   * the response, and a small body leaves its connection open.
   */
  unreadBodyBytes: 65_536,
  unreadBodyMs: 1000,
  /** Slots of a process; further requests get 503. About 0.1 s of work: more would only cost memory. One key gets half. */
  maxRequestsInProgress: 400,
  rejectionDelayMs: 1000,
  /** Connections that the kernel queues until they are accepted. Linux allows up to net.core.somaxconn. */
  backlog: 4096,
};

export type HttpLimits = Readonly<typeof httpLimits>;

/** Limits each API key to `RATE_LIMIT_PER_MINUTE` in this process. Every response states the remaining quota. */
export function rateLimiter(quota: number): (principal: Principal, reply: FastifyReply) => Promise<void> {
  const limit: RateLimit = { name: 'requests', quota, windowSeconds: 60 };
  const limiter = new RateLimiterMemory({ points: quota, duration: limit.windowSeconds });
  return async ({ apiKeyId }, reply) => {
    const { remainingPoints, msBeforeNext } = await limiter.consume(apiKeyId).catch((rejection: unknown) => {
      throw rejection instanceof RateLimiterRes ? tooMany(limit, rejection) : rejection;
    });
    void reply.headers(rateLimitHeaders(limit, remainingPoints, Math.ceil(msBeforeNext / 1000)));
  };
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

const rejection = overloaded();
const body = JSON.stringify(toErrorBody(rejection));

interface SlotOptions {
  limits: HttpLimits;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Rejects API requests while the maximum is in progress, or half of it for one key. So a hostile key leaves half of the
 * slots to the others. A request holds its slot until its response is sent or its connection has closed. Only requests with
 * a principal count: health checks must succeed under load, and files are cheap.
 */
export class Slots {
  private inProgress = 0;
  private readonly ofKey = new Map<number, number>();
  private readonly rejections: CoalescedLog;

  constructor(private readonly options: SlotOptions) {
    this.rejections = new CoalescedLog((rejected) => options.logger.warn({ rejected }, rejection.message));
  }

  /** Before the body is read. */
  readonly check: onRequestHookHandler = ({ principal }, reply, done) => {
    if (principal && this.areTaken(principal.apiKeyId)) this.reject(reply);
    else done();
  };

  /** Once the body is complete: clients that never complete theirs cannot lock out others. */
  readonly take: preValidationHookHandler = ({ principal, raw }, reply, done) => {
    if (principal && this.areTaken(principal.apiKeyId)) return this.reject(reply);
    if (principal && !raw.socket.destroyed) {
      this.add(principal.apiKeyId, 1);
      reply.raw.once('close', () => this.add(principal.apiKeyId, -1));
    }
    done();
  };

  private areTaken(apiKeyId: number): boolean {
    const { maxRequestsInProgress } = this.options.limits;
    return this.inProgress >= maxRequestsInProgress || (this.ofKey.get(apiKeyId) ?? 0) >= maxRequestsInProgress / 2;
  }

  private reject(reply: FastifyReply): void {
    this.rejections.add();
    this.options.metrics.shedRequests.inc();
    // A client that retries at once would cost more than the requests that are served.
    setTimeout(sendRejection, this.options.limits.rejectionDelayMs, reply);
  }

  private add(apiKeyId: number, change: 1 | -1): void {
    this.inProgress += change;
    this.ofKey.set(apiKeyId, (this.ofKey.get(apiKeyId) ?? 0) + change);
  }
}

/** Bypasses the error filter: a rejection must be cheap under load. */
function sendRejection(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(body);
}
