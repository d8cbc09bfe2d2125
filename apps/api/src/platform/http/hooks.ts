import cors from '@fastify/cors';
import {
  errorCodes,
  type FastifyInstance,
  type FastifyRequest,
  type onRequestHookHandler,
  type preParsingHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Connections } from './connections.js';
import { enter, expectsContinue, missingHostError } from './enter.js';
import { leave, observer } from './leave.js';
import { type HttpLimits, rateLimiter, Slots } from './limits.js';
import type { Paths } from './paths.js';
import { sendPage } from './static-files.js';

const { FST_ERR_CTP_BODY_TOO_LARGE: BodyTooLarge } = errorCodes;

/** Checks the API key and its scope. It throws the error of a request that it rejects. */
interface Guard {
  check(request: FastifyRequest): void;
}

interface HookOptions {
  config: Config;
  limits: HttpLimits;
  logger: Logger;
  metrics: Metrics;
  connections: Connections;
  paths: Paths;
  guard: Guard;
}

/**
 * The hooks of every request, in their order. Those before the body respond to whatever needs no body. Nest's guard, pipe
 * and filter follow.
 */
export async function addHooks(fastify: FastifyInstance, options: HookOptions): Promise<void> {
  const { config, limits, logger, metrics, connections, paths, guard } = options;
  const slots = new Slots(options);
  const observe = observer(logger, config.metricsPort === undefined ? undefined : metrics);
  fastify.decorateRequest('principal', undefined);
  fastify.decorateRequest('logged', undefined);
  fastify.decorateReply('logAborted', undefined);

  if (config.corsOrigins.length > 0) await addCors(fastify, config.corsOrigins, paths);
  fastify.addHook('onRequest', enter({ ...options, observe }));
  fastify.addHook('onRequest', authorize(guard, connections, config.rateLimitPerMinute));
  fastify.addHook('onRequest', slots.check);
  fastify.addHook('onRequest', (request, reply, done) => {
    const error = missingHostError(request);
    if (error) done(error);
    else if (!sendPage(request, reply)) paths.respond(request, reply, done);
  });
  fastify.addHook('preParsing', askForBody);
  fastify.addHook('preValidation', slots.take);
  fastify.addHook('onSend', leave(connections, limits));
}

/**
 * Key, scope and rate limit, before the body is read and also on paths that do not exist. Rejections, pages and files need no
 * key: each connection gets one at a time, however many requests it pipelines.
 */
function authorize(guard: Guard, connections: Connections, rateLimitPerMinute: number): onRequestHookHandler {
  const limitRate = rateLimitPerMinute > 0 ? rateLimiter(rateLimitPerMinute) : undefined;
  return (request, reply, done) => {
    const proceedLater = (error?: Error) => connections.whenOldest(reply, () => done(error));
    try {
      guard.check(request);
    } catch (error) {
      return proceedLater(error as Error);
    }
    if (!request.principal) return proceedLater();
    if (!limitRate) return done();
    limitRate(request.principal, reply).then(() => done(), proceedLater);
  };
}

/** Asks for the body only if the service will read it: after the key, the limits and its size. */
const askForBody: preParsingHookHandler = (request, reply, payload, done) => {
  if (!expectsContinue(request)) return done(null, payload);
  if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit) return done(new BodyTooLarge());
  reply.raw.writeContinue();
  void reply.removeHeader('connection');
  done(null, payload);
};

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Prefer',
  'X-Request-Id',
  'traceparent',
  'tracestate',
];
const exposedHeaders = [
  'Link',
  'Location',
  'X-Total-Count',
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Deprecation',
  'Sunset',
];

/** Lets the pages of `CORS_ORIGINS` use the API. `paths` responds to the OPTIONS requests. */
async function addCors(fastify: FastifyInstance, origins: readonly string[], paths: Paths): Promise<void> {
  const options = {
    origin: [...origins],
    allowedHeaders,
    exposedHeaders,
    maxAge: 86_400,
    preflightContinue: true,
    strictPreflight: false,
  };
  await fastify.register(cors, {
    delegator: (request, respond) => {
      const path = request.method === 'OPTIONS' ? paths.find(request) : undefined;
      respond(null, path ? { ...options, methods: [...path.methods] } : options);
    },
  });
}
