import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';

/** Rejects requests that a proxy could read differently (RFC 9112, section 11.2). */
export function rejectAmbiguousHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const fault = faultOf(request);
    done(fault === undefined ? undefined : new DomainError('bad_request', fault));
  });
}

/** A host name or address, with an optional port (RFC 3986, section 3.2.2). */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

/** Node joins repeated headers by a comma (server.ts). None of these contains one, except in quotes. */
const isRepeated = (value = '') => /^[^"]*,/.test(value);

function faultOf({ headers, raw: { httpVersion } }: FastifyRequest): string | undefined {
  const { host, authorization, 'content-type': type, 'transfer-encoding': coding } = headers;
  if (isRepeated(authorization)) return 'The `Authorization` header is repeated.';
  if (isRepeated(type)) return 'The `Content-Type` header is repeated.';
  // HTTP/1.0 does not have this header: its body could end elsewhere for a proxy (RFC 9112, section 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return '`Transfer-Encoding` must be `chunked`, in HTTP/1.1.';
  }
  // Only HTTP/1.0 allows requests without Host (RFC 9112, section 3.2).
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The `Host` header is missing.';
  return validHost.test(host) ? undefined : 'The `Host` header is invalid or repeated.';
}
