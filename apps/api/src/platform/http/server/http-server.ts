import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { limitConnections } from './connection-limit.js';
import { watchUnusedConnections } from './drain.js';
import { httpLimits } from './limits.js';
import { limitPipelining } from './pipelining.js';
import { logDiscarded } from './request-log.js';

/** A server with explicit limits that passes on every request that Node can parse. */
export function createHttpServer(handle: RequestListener, logger: Logger): Server {
  const server = createServer({
    maxHeaderSize: httpLimits.headerBytes,
    headersTimeout: httpLimits.headersTimeoutMs,
    requestTimeout: httpLimits.requestTimeoutMs,
    keepAliveTimeout: httpLimits.keepAliveTimeoutMs,
    connectionsCheckingInterval: httpLimits.connectionsCheckIntervalMs,
    // Node would answer a missing Host header with its own error.
    requireHostHeader: false,
  });
  server.setTimeout(httpLimits.stalledTimeoutMs);
  passOnEveryRequest(server);
  watchUnusedConnections(server);
  limitConnections(server, logger);
  limitPipelining(server, { handle, discard: (request) => logDiscarded(request, logger) });
  return server;
}

/** Passes on requests that Node would answer itself, or ignore. */
function passOnEveryRequest(server: Server & { httpAllowHalfOpen?: boolean }): void {
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
