import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

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

/** Lets the pages of `CORS_ORIGINS` use the API. The routes of OPTIONS (paths.ts) state the methods of their paths. */
export async function allowOrigins(fastify: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  // The plugin adds a route for the preflights of unknown paths. It would keep the error handler of Fastify.
  fastify.addHook('onRoute', (route) => {
    if (route.url === '*') route.errorHandler = (error, request, reply) => fastify.errorHandler(error, request, reply);
  });
  await fastify.register(cors, {
    origin: [...origins],
    allowedHeaders,
    exposedHeaders,
    maxAge: 86_400,
    preflightContinue: true,
    strictPreflight: false,
  });
}
