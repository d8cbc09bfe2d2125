import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DomainError, toErrorBody } from '../errors/domain-error.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { HttpLimits } from './limits.js';

const windowSeconds = 60;

/**
 * Limits each API key to `RATE_LIMIT_PER_MINUTE` in this process; 0: unlimited. Every response states the remaining quota
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function limitRate(fastify: FastifyInstance, quota: number): void {
  if (quota === 0) return;
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds });
  fastify.addHook('onRequest', async ({ principal }, reply) => {
    if (!principal) return;
    // Counts as consume() does, which would reject too.
    const { consumedPoints, remainingPoints, msBeforeNext } = await limiter.penalty(principal.apiKeyId);
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    void reply.headers({
      'RateLimit-Policy': `"requests";q=${quota};w=${windowSeconds}`,
      RateLimit: `"requests";r=${remainingPoints};t=${resetSeconds}`,
    });
    if (consumedPoints <= quota) return;
    const message = `This API key exceeded ${quota} requests per minute. Try again in ${resetSeconds} s.`;
    throw new DomainError('rate_limited', message, { retryAfter: resetSeconds });
  });
}

const overloaded = new DomainError('service_unavailable', 'The service is overloaded. Try again in 1 second.');
const overloadedBody = JSON.stringify(toErrorBody(overloaded));

interface SlotOptions {
  limits: HttpLimits;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Rejects API requests while the maximum is in progress, or half of it for one key: a hostile key leaves half of the
 * slots to the others. A request holds its slot until its response is sent or its connection has closed. Only requests with
 * a principal count: health checks must succeed under load, and files are cheap.
 */
export function limitRequestsInProgress(fastify: FastifyInstance, options: SlotOptions): void {
  const slots = new Slots(options);
  const slices = new TimeSlices(options.limits.keyTurnMs);
  fastify.addHook('onRequest', ({ principal }, reply, done) => {
    if (principal && slots.areTaken(principal.apiKeyId)) slots.reject(reply);
    else done();
  });
  // A request takes its slot when its body is complete: clients that never complete theirs cannot lock out others.
  fastify.addHook('preValidation', ({ principal, raw }, reply, done) => {
    if (!principal) return done();
    if (slots.areTaken(principal.apiKeyId)) return slots.reject(reply);
    if (!raw.socket.destroyed) slots.take(principal.apiKeyId, reply);
    slices.run(principal.apiKeyId, done);
  });
}

/**
 * Lets the requests of all clients start in their order, for a limited time in one turn of the event loop: a flood of requests
 * that are rejected must not make the turns long.
 */
export function limitTurns(fastify: FastifyInstance, { startTurnMs }: HttpLimits): void {
  const slices = new TimeSlices(startTurnMs);
  fastify.addHook('onRequest', (_request, _reply, done) => slices.run('all', done));
}

/** What one owner does in a turn of the event loop. */
interface TimeSlice {
  /** How much time is left for its tasks. */
  ms: number;
  /** Oldest first. */
  readonly waiting: (() => void)[];
}

/**
 * Limits the time that the tasks of each owner take in one turn of the event loop. The others wait for the next turns: between
 * two turns, Node accepts a connection and reads the requests of others, however many requests an owner sends at once.
 */
class TimeSlices {
  private readonly slices = new Map<number | 'all', TimeSlice>();

  constructor(private readonly msPerTurn: number) {}

  /** @param owner the id of an API key, or all clients */
  run(owner: number | 'all', task: () => void): void {
    const slice = this.slices.get(owner);
    if (!slice) return this.begin(owner, { ms: 0, waiting: [task] });
    slice.waiting.push(task);
    runWaiting(slice);
  }

  private begin(owner: number | 'all', slice: TimeSlice): void {
    slice.ms = this.msPerTurn;
    this.slices.set(owner, slice);
    setImmediate(() => {
      if (slice.waiting.length > 0) this.begin(owner, slice);
      else this.slices.delete(owner);
    });
    runWaiting(slice);
  }
}

function runWaiting(slice: TimeSlice): void {
  while (slice.ms > 0 && slice.waiting.length > 0) {
    const begin = performance.now();
    slice.waiting.shift()?.();
    slice.ms -= performance.now() - begin;
  }
}

class Slots {
  private inProgress = 0;
  private readonly ofKey = new Map<number, number>();
  private readonly rejections: CoalescedLog;

  constructor(private readonly options: SlotOptions) {
    this.rejections = new CoalescedLog((rejected) => options.logger.warn({ rejected }, overloaded.message));
  }

  areTaken(apiKeyId: number): boolean {
    const { maxRequestsInProgress } = this.options.limits;
    return this.inProgress >= maxRequestsInProgress || (this.ofKey.get(apiKeyId) ?? 0) >= maxRequestsInProgress / 2;
  }

  take(apiKeyId: number, reply: FastifyReply): void {
    this.add(apiKeyId, 1);
    reply.raw.once('close', () => this.add(apiKeyId, -1));
  }

  private add(apiKeyId: number, change: 1 | -1): void {
    this.inProgress += change;
    this.ofKey.set(apiKeyId, (this.ofKey.get(apiKeyId) ?? 0) + change);
  }

  reject(reply: FastifyReply): void {
    this.rejections.add();
    this.options.metrics.shedRequests.inc();
    // A client that retries at once would cost more than the requests that are served.
    setTimeout(sendRejection, this.options.limits.rejectionDelayMs, reply);
  }
}

/** Bypasses the error filter: a rejection must be cheap under load. */
function sendRejection(reply: FastifyReply): void {
  void reply
    .status(503)
    .headers({ 'Retry-After': '1', 'Cache-Control': 'no-store' })
    .type('application/json')
    .send(overloadedBody);
}
