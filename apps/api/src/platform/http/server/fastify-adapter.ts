import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { stringifyJson } from '../json/stringify-json.js';
import { clientErrorHandler } from '../errors/client-errors.js';
import { watchUnusedConnections } from './drain.js';
import { httpLimits } from './limits.js';
import { requestIdOf } from './request-id.js';
import { routableTarget } from '../routing/request-target.js';

/** Fastify with explicit limits, on a server that passes on every request that Node can parse. */
export function createFastifyAdapter({ bodyLimitBytes, trustProxy }: Config, logger: Logger): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    bodyLimit: bodyLimitBytes,
    trustProxy: trusted(trustProxy),
    genReqId: requestIdOf,
    requestIdHeader: false,
    keepAliveTimeout: httpLimits.keepAliveTimeoutMs,
    requestTimeout: httpLimits.requestTimeoutMs,
    connectionTimeout: httpLimits.stalledTimeoutMs,
    http: {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersTimeoutMs,
      connectionsCheckingInterval: httpLimits.connectionsCheckIntervalMs,
      // Node would answer a missing Host header with its own error.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: httpLimits.headerBytes },
    rewriteUrl: routableTarget,
    return503OnClosing: false,
    // The app has no Nest middleware.
    skipMiddie: true,
    clientErrorHandler: clientErrorHandler(logger),
  });
  const fastify = adapter.getInstance();
  fastify.setReplySerializer((payload) => stringifyJson(payload));
  const { server } = fastify;
  passOnEveryRequest(server);
  watchUnusedConnections(server);
  return adapter;
}

/** Passes on requests that Node would answer itself, or ignore. */
function passOnEveryRequest(server: Server & { httpAllowHalfOpen?: boolean }): void {
  // Node answers 417, but a server may ignore an unknown expectation (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    passOnConnect(server, request, socket);
  });
  // A client that closes its side after the request (`nc -N`) still gets the response.
  server.httpAllowHalfOpen = true;
}

/** Node emits CONNECT at once, even if earlier requests on the connection are still in progress. */
function passOnConnect(
  server: Server,
  request: IncomingMessage,
  socket: Socket & { _httpMessage?: ServerResponse | null },
): void {
  if (!socket.writable) return;
  const earlier = socket._httpMessage;
  if (earlier) {
    earlier.once('close', () => passOnConnect(server, request, socket));
    return;
  }
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.on('finish', () => socket.destroySoon());
  server.emit('request', request, response);
}

function trusted(proxies: Config['trustProxy']) {
  if (proxies === false) return false;
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];
}
