import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorTable } from '@petstore/contracts';
import type { Logger } from 'pino';
import { DomainError, toErrorBody } from '../errors/domain-error.js';
import type { Connections } from './connections.js';
import type { HttpLimits } from './limits.js';
import { requestIdOf } from './observe.js';
import { pathOf } from './request-target.js';

interface ClientErrorOptions {
  connections: Connections;
  limits: HttpLimits;
  logger: Logger;
}

/** `_httpMessage` is the response that Node is sending on the connection. */
type ConnectionSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Responds to requests that Node's HTTP parser rejects, with the body of every other error. */
export function clientErrorHandler({ connections, limits, logger }: ClientErrorOptions) {
  const parserErrors = errorsOf(limits);
  return function respond(error: Error & { code?: string }, socket: ConnectionSocket): void {
    const response = socket._httpMessage;
    if (response?.req.complete) {
      // The malformed request follows one that is still in progress.
      response.once('close', () => respond(error, socket));
    } else if (error.code === 'ECONNRESET' || response?.headersSent) {
      socket.destroy();
    } else if (socket.writable) {
      const rejection = parserErrors[error.code ?? ''] ?? new DomainError('bad_request');
      const request = response?.req;
      if (request) connections.reject(request);
      const requestId = requestIdOf(request ?? { headers: {} });
      // Method and path are known only if the headers were read.
      const known = request && { method: request.method, path: pathOf(request.url ?? '') };
      const status = errorTable[rejection.code].status;
      logger.info({ requestId, ...known, status, address: socket.remoteAddress }, `rejected: ${rejection.message}`);
      socket.end(rawResponse(rejection, requestId), () => socket.destroy());
    } else {
      socket.destroySoon();
    }
  };
}

function errorsOf({ headersTimeoutMs, requestTimeoutMs, headerBytes }: HttpLimits): Record<string, DomainError> {
  const [headersTimeout, requestTimeout] = [headersTimeoutMs / 1000, requestTimeoutMs / 1000];
  return {
    ERR_HTTP_REQUEST_TIMEOUT: new DomainError(
      'request_timeout',
      `The request did not arrive in time. The limits are ${headersTimeout} s for the headers and ${requestTimeout} s in total.`,
    ),
    HPE_INVALID_METHOD: new DomainError(
      'bad_request',
      'The request method is unknown, or the request is not HTTP/1.1.',
    ),
    HPE_HEADER_OVERFLOW: new DomainError(
      'headers_too_large',
      `The headers are too large. The limit is ${headerBytes} bytes.`,
    ),
  };
}

function rawResponse(error: DomainError, requestId: string): string {
  const status = errorTable[error.code].status;
  const body = JSON.stringify(toErrorBody(error));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
