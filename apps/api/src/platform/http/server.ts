import { isUtf8 } from 'node:buffer';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { parseJson, stringifyJson } from '@petstore/contracts';
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import type { HttpLimits } from './limits.js';
import { routableTarget } from './paths.js';
import { requestIdOf } from './response-headers.js';

interface AdapterOptions {
  config: Pick<Config, 'bodyLimitBytes' | 'trustProxy'>;
  limits: HttpLimits;
  clientErrorHandler: NonNullable<FastifyServerOptions['clientErrorHandler']>;
}

/** Fastify with explicit limits. */
export function createFastifyAdapter({ config, limits, clientErrorHandler }: AdapterOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckIntervalMs,
      // ambiguous-headers.ts rejects a missing Host header, and repeated headers. Node would use the first of them.
      requireHostHeader: false,
      joinDuplicateHeaders: true,
    },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.stalledTimeoutMs,
    bodyLimit: config.bodyLimitBytes,
    trustProxy: config.trustProxy,
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { maxParamLength: limits.headerBytes },
    rewriteUrl: routableTarget,
    return503OnClosing: false,
    // The app has no Nest middleware.
    skipMiddie: true,
    clientErrorHandler,
  });
  const fastify: FastifyInstance = adapter.getInstance();
  fastify.setReplySerializer((payload) => stringifyJson(payload));
  readJsonBodies(fastify);
  // Node would silently drop headers beyond 2,000. Their size is limited.
  fastify.server.maxHeadersCount = 0;
  // An unknown expectation is ignored: Node would answer it, then read a body without end.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  return adapter;
}

/** Accepts JSON in UTF-8 only: any other media type is 415. */
function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
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
