import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';

const allowedHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'Prefer', 'X-Request-Id'];
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

/** Lets the pages of `CORS_ORIGINS` use the API. The OPTIONS route of each path states the methods. */
export async function addCors(fastify: FastifyInstance, { corsOrigins }: Config): Promise<void> {
  if (corsOrigins.length === 0) return;
  await fastify.register(cors, {
    origin: [...corsOrigins],
    allowedHeaders,
    exposedHeaders,
    maxAge: 86_400,
    preflightContinue: true,
    strictPreflight: false,
  });
}
