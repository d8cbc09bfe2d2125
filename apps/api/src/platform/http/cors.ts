import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Paths } from './paths.js';

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
export async function allowOrigins(fastify: FastifyInstance, origins: readonly string[], paths: Paths): Promise<void> {
  if (origins.length === 0) return;
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
