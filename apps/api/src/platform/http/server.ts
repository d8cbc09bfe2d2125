import { isUtf8 } from 'node:buffer';
import { compile } from '@fastify/proxy-addr';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { parseJson, stringifyJson } from '@petstore/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import type { HttpLimits } from './limits.js';
import { type ClientErrors, headersTooLarge } from './errors.js';
import { routableTarget } from './paths.js';
import { requestIdOf } from './response-headers.js';

interface AdapterOptions {
  config: Pick<Config, 'bodyLimitBytes' | 'trustProxy'>;
  limits: HttpLimits;
  clientErrors: ClientErrors;
}

/** Fastify with explicit limits. */
export function createFastifyAdapter({ config, limits, clientErrors }: AdapterOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckIntervalMs,
      // rejectAmbiguousHeaders() rejects a missing Host header, and repeated headers. Node would use the first of them.
      requireHostHeader: false,
      joinDuplicateHeaders: true,
    },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.stalledTimeoutMs,
    bodyLimit: config.bodyLimitBytes,
    trustProxy: Array.isArray(config.trustProxy) && trustedProxies(config.trustProxy),
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { maxParamLength: limits.headerBytes },
    rewriteUrl: routableTarget,
    return503OnClosing: false,
    // The app has no Nest middleware.
    skipMiddie: true,
    clientErrorHandler: (error, socket) => clientErrors.handle(error, socket),
  });
  const fastify: FastifyInstance = adapter.getInstance();
  fastify.setReplySerializer((payload) => stringifyJson(payload));
  acceptJsonBodies(fastify);
  // Node drops the lines beyond this number. rejectAmbiguousHeaders() rejects a request that reaches it.
  fastify.server.maxHeadersCount = limits.headerLines + 1;
  // Node responds 417 too, but then reads a body without end: 16 of them delayed the requests of others by seconds.
  fastify.server.on('checkExpectation', (_request, response) =>
    response.writeHead(417, { connection: 'close', 'content-length': 0 }).end(),
  );
  return adapter;
}

/** More proxies than a service has. A client can send any number of addresses, and each takes time to check. */
const maxProxies = 10;

function trustedProxies(addresses: string[]): (address: string, hop: number) => boolean {
  const isTrusted = compile(addresses);
  return (address, hop) => hop < maxProxies && isTrusted(address, hop);
}

/** Reads the bytes of JSON bodies: any other media type is 415. */
function acceptJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** Parses the bodies, after the slots are taken. */
export function parseBodies(fastify: FastifyInstance): void {
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (Buffer.isBuffer(request.body)) request.body = parseBody(request, request.body);
    done();
  });
}

function parseBody(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'Compressed bodies are not supported. Omit Content-Encoding.');
  }
  if (body.length === 0) throw new DomainError('invalid_json', 'The body is empty. Send a JSON object.');
  if (!isUtf8(body)) throw new DomainError('invalid_json', 'The body is not valid UTF-8.');
  try {
    return parseJson(body.toString());
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new DomainError('invalid_json', `The body is not valid JSON: ${cause.message}.`, { cause });
  }
}

/** Rejects too many lines of headers, and requests that a proxy could read differently (RFC 9112, section 11.2). */
export function rejectAmbiguousHeaders(fastify: FastifyInstance, limits: HttpLimits): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Names and values.
    if (request.raw.rawHeaders.length > 2 * limits.headerLines) return done(headersTooLarge(limits));
    const fault = faultOf(request);
    done(fault === undefined ? undefined : new DomainError('bad_request', fault));
  });
}

/** A host name or address, with an optional port (RFC 3986, section 3.2.2). */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

/** Node joins repeated headers by a comma and a space. No key contains a space, and a media type has one only in quotes. */
const isRepeated = (value = '') => value.includes(', ') && value.replaceAll(/"(?:\\.|[^"\\])*"/g, '').includes(', ');

function faultOf({ headers, raw: { httpVersion } }: FastifyRequest): string | undefined {
  const { host, authorization, 'content-type': type, 'transfer-encoding': coding } = headers;
  if (authorization?.includes(', ')) return 'The `Authorization` header is repeated.';
  if (isRepeated(type)) return 'The `Content-Type` header is repeated.';
  // HTTP/1.0 does not have this header: its body could end elsewhere for a proxy (RFC 9112, section 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return '`Transfer-Encoding` must be `chunked`, in HTTP/1.1.';
  }
  // Only HTTP/1.0 allows requests without Host (RFC 9112, section 3.2).
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The `Host` header is missing.';
  return validHost.test(host) ? undefined : 'The `Host` header is invalid or repeated.';
}
