import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import type { AnswerBadUrl } from './bad-url.js';
import { answerClientError } from './client-errors.js';
import { httpLimits } from './limits.js';
import { requestIdOf } from './request-id.js';

/** Fastify with every limit said, and every refusal of its own handed to the error filter. */
export function createFastifyAdapter({ bodyLimitBytes, trustProxy }: Config, answerBadUrl: AnswerBadUrl): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    bodyLimit: bodyLimitBytes,
    trustProxy: trusted(trustProxy),
    genReqId: requestIdOf,
    requestIdHeader: false,
    keepAliveTimeout: httpLimits.keepAliveTimeoutMs,
    requestTimeout: httpLimits.requestTimeoutMs,
    http: {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersTimeoutMs,
      connectionsCheckingInterval: httpLimits.connectionsCheckIntervalMs,
      // Node would answer a missing Host header by itself, in another shape.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: httpLimits.headerBytes },
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: FastifyError, request: unknown, reply: unknown) =>
      answerBadUrl(error, request as FastifyRequest, reply as FastifyReply),
  });
  // An expectation that is not known may be passed over (RFC 9110, section 10.1.1); Node would answer 417 by itself.
  const { server } = adapter.getInstance();
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return adapter;
}

function trusted(proxies: Config['trustProxy']) {
  if (proxies === false) return false;
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];
}
