import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import { type Authenticator, authenticateRequests } from './access.js';
import type { HttpLimits } from './limits.js';
import { limitRates } from './rate-limit.js';
import { shedLoad } from './slots.js';

interface ProtectOptions {
  config: Config;
  limits: HttpLimits;
  authenticator: Authenticator;
  logger: Logger;
  /** Called for each request that is rejected because the service is overloaded. */
  onRejection: () => void;
}

/**
 * Headers first, because rejections have them too. Then the key: a request without a valid one costs no more than this
 * check. Then the limits, which count only requests with a valid key.
 */
export async function protect(fastify: FastifyInstance, options: ProtectOptions): Promise<void> {
  addResponseHeaders(fastify);
  await addCors(fastify, options.config);
  rejectAmbiguousHeaders(fastify, options.limits);
  authenticateRequests(fastify, options.authenticator);
  limitRates(fastify, options.config);
  shedLoad(fastify, options);
  requireHost(fastify);
}

function addResponseHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('x-content-type-options', 'nosniff');
    done();
  });
  // Fastify adds a charset, which JSON does not have (RFC 8259, section 11).
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.startsWith('application/json;')) {
      void reply.header('content-type', 'application/json');
    }
    done(null, payload);
  });
}

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
async function addCors(fastify: FastifyInstance, { corsOrigins }: Config): Promise<void> {
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

/**
 * Only HTTP/1.0 allows requests without a Host header (RFC 9112, section 3.2). No proxy reads its absence differently, so
 * this check can wait for the key.
 */
function requireHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return done();
    done(new DomainError('bad_request', 'The `Host` header is missing.'));
  });
}

const singleHeaders = new Set(['host', 'authorization', 'content-type']);
/** A host name or address, with an optional port (RFC 3986, section 3.2.2). */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Rejects headers that a proxy in front of the service could read differently. Node uses the first of repeated ones, and
 * ignores codings of the body other than `chunked`.
 */
function rejectAmbiguousHeaders(fastify: FastifyInstance, limits: HttpLimits): void {
  fastify.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    // `rawHeaders` has names and values in turn.
    if (raw.rawHeaders.length > 2 * limits.headers) {
      return done(new DomainError('headers_too_large', `The limit is ${limits.headers} headers.`));
    }
    const repeated = repeatedHeader(raw.rawHeaders);
    if (repeated !== undefined) return done(new DomainError('bad_request', `The \`${repeated}\` header is repeated.`));
    const coding = headers['transfer-encoding'];
    // HTTP/1.0 does not have this header: its body could end elsewhere for a proxy (RFC 9112, section 6.1).
    if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || raw.httpVersion === '1.0')) {
      return done(new DomainError('bad_request', '`Transfer-Encoding` must be `chunked`, in HTTP/1.1.'));
    }
    if (validHost.test(headers.host ?? '')) return done();
    done(new DomainError('bad_request', 'The `Host` header is invalid.'));
  });
}

function repeatedHeader(rawHeaders: string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (seen.has(lower)) return name;
    if (singleHeaders.has(lower)) seen.add(lower);
  }
  return undefined;
}
