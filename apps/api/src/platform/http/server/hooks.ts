import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';

/** Adds `X-Request-Id` to every response. */
export function addResponseHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
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

/** Only HTTP/1.0 allows requests without a Host header (RFC 9112, section 3.2). */
export function requireHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return done();
    done(new DomainError('bad_request', 'The `Host` header is missing.'));
  });
}

const singleHeaders = new Set(['host', 'authorization', 'content-type']);
/** A host name or address, with an optional port (RFC 3986, section 3.2.2). */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Rejects headers that a proxy in front of the service could read differently. Node uses the first of repeated ones. */
export function rejectAmbiguousHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    const repeated = repeatedHeader(raw.rawHeaders);
    if (repeated !== undefined) return done(new DomainError('bad_request', `The \`${repeated}\` header is repeated.`));
    if (validHost.test(headers.host ?? '')) return done();
    done(new DomainError('bad_request', 'The `Host` header is invalid.'));
  });
}

/** `rawHeaders` has names and values in turn. */
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
