import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { stringifyJson } from '@petstore/contracts';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { clientErrorHandler } from './client-errors.js';
import type { Connections } from './connections.js';
import type { HttpLimits } from './limits.js';
import { requestIdOf } from './observe.js';
import { routableTarget } from './request-target.js';

interface AdapterOptions {
  config: Pick<Config, 'bodyLimitBytes' | 'trustProxy'>;
  limits: HttpLimits;
  connections: Connections;
  logger: Logger;
}

/** Fastify on our HTTP server, with explicit limits. */
export function createFastifyAdapter({ config, limits, connections, logger }: AdapterOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    serverFactory: (handle: RequestListener) => {
      const server = createHttpServer(limits);
      connections.watch(server, handle);
      return server;
    },
    bodyLimit: config.bodyLimitBytes,
    trustProxy: trusted(config.trustProxy),
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { maxParamLength: limits.headerBytes },
    rewriteUrl: routableTarget,
    return503OnClosing: false,
    // The app has no Nest middleware.
    skipMiddie: true,
    clientErrorHandler: clientErrorHandler({ connections, limits, logger }),
  });
  adapter.getInstance().setReplySerializer((payload) => stringifyJson(payload));
  return adapter;
}

function trusted(proxies: Config['trustProxy']) {
  if (proxies === false) return false;
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];
}

/** Passes on every request that Node can parse. */
function createHttpServer(limits: HttpLimits): Server {
  const server: Server & { httpAllowHalfOpen?: boolean } = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckIntervalMs,
    // Node would answer a missing Host header with its own error.
    requireHostHeader: false,
  });
  // One more than allowed, so that a request with too many can be rejected.
  server.maxHeadersCount = limits.headers + 1;
  server.setTimeout(limits.stalledTimeoutMs);
  // Node would answer at once, before the key is checked.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // Node answers 417, but a server may ignore an unknown expectation (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    passOnConnect(server, request, socket);
  });
  // A client that closes its side after the request (`nc -N`) still gets the response.
  server.httpAllowHalfOpen = true;
  return server;
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
