import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Config } from '../../config/config.js';

const self = ["'self'"];
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: self,
    scriptSrc: self,
    styleSrc: [...self, "'unsafe-inline'"],
    imgSrc: [...self, 'data:', 'blob:'],
    connectSrc: self,
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

const setHeaders = helmet({
  contentSecurityPolicy,
  // As frame-ancestors has it, for what does not know that.
  xFrameOptions: { action: 'deny' },
  // A store opens this at http://192.168.x.x: TLS is the proxy's business, and what browsers keep for secure
  // contexts would only be a warning on every page.
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  // Obsolete or without meaning for a service that answers JSON.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xDnsPrefetchControl: false,
  xXssProtection: false,
});

/** On every answer. They are the same for all: helmet is asked once, because it makes them anew each time. */
export function addSecurityHeaders(fastify: FastifyInstance): void {
  const headers = securityHeaders();
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

function securityHeaders(): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  // It sets them before it returns, and throws what is wrong with its options.
  setHeaders(request, response, () => undefined);
  return response.getHeaders();
}

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
  'Deprecation',
  'Sunset',
];

/** For the pages of `CORS_ORIGINS`, and for no others. */
export async function addCors(fastify: FastifyInstance, { corsOrigins }: Config): Promise<void> {
  if (corsOrigins.length === 0) return;
  await fastify.register(cors, {
    origin: [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'Prefer', 'X-Request-Id'],
    exposedHeaders,
    maxAge: 600,
    preflightContinue: true,
    strictPreflight: false,
  });
}
