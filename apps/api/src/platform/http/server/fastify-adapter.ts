import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { clientErrorHandler } from '../errors/client-errors.js';
import { watchUnusedConnections } from './drain.js';
import { httpLimits } from './limits.js';
import { requestIdOf } from './request-id.js';
import { routableTarget } from '../routing/request-target.js';

/** Fastify with every limit said, over a server that hands on each request it can read. */
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
      // Node would answer a missing Host header by itself, in another shape.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: httpLimits.headerBytes },
    rewriteUrl: routableTarget,
    return503OnClosing: false,
    // Nest's middleware: there is none.
    skipMiddie: true,
    clientErrorHandler: clientErrorHandler(logger),
  });
  const { server } = adapter.getInstance();
  handOnEveryRequest(server);
  watchUnusedConnections(server);
  return adapter;
}

/** What Node would answer by itself, or not at all, gets the answer of any other request. */
function handOnEveryRequest(server: Server & { httpAllowHalfOpen?: boolean }): void {
  // An expectation that is not known may be passed over (RFC 9110, section 10.1.1); Node answers 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    handOnConnect(server, request, socket);
  });
  // A client that has sent all it wants to may close its side (`nc -N`) and still gets its answer.
  server.httpAllowHalfOpen = true;
}

/** Node tells of it at once, while requests before it on its connection may still wait for their answers. */
function handOnConnect(
  server: Server,
  request: IncomingMessage,
  socket: Socket & { _httpMessage?: ServerResponse | null },
): void {
  if (!socket.writable) return;
  const before = socket._httpMessage;
  if (before) {
    before.once('close', () => handOnConnect(server, request, socket));
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
