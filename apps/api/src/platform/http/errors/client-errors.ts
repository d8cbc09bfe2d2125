import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { DomainError } from '../../errors/domain-error.js';
import { statusOf, toErrorBody } from './error-answer.js';
import { httpLimits } from '../server/limits.js';
import { requestIdOf } from '../server/request-id.js';
import { pathOf } from '../routing/request-target.js';

const { headersTimeoutMs, requestTimeoutMs, headerBytes } = httpLimits;
const refusals: Readonly<Record<string, DomainError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError(
    'request_timeout',
    `The request did not arrive in time: ${headersTimeoutMs / 1000} s for its headers, ${requestTimeoutMs / 1000} s for all of it.`,
  ),
  HPE_HEADER_OVERFLOW: new DomainError(
    'headers_too_large',
    `The headers are larger than the ${headerBytes} bytes this service accepts.`,
  ),
};
const unreadable = new DomainError('bad_request', 'This is not an HTTP/1.1 request that can be read.');

/** What Node knows of the answer that is being given on a connection. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Answers what Node's HTTP parser refuses, before or after its headers, in the shape of every other error. */
export function clientErrorHandler(logger: Logger) {
  return function answer(error: Error & { code?: string }, socket: AnsweringSocket): void {
    const answering = socket._httpMessage;
    if (answering?.req.complete) {
      // The fault is in what came behind that request, which gets its own answer first.
      answering.once('close', () => answer(error, socket));
    } else if (error.code === 'ECONNRESET' || answering?.headersSent) {
      socket.destroy();
    } else if (socket.writable) {
      const refusal = refusals[error.code ?? ''] ?? unreadable;
      const request = answering?.req;
      const requestId = requestIdOf(request ?? { headers: {} });
      // Where its headers were read it has a name, else only its address.
      const known = request && { method: request.method, path: pathOf(request.url ?? '') };
      const status = statusOf(refusal.code);
      logger.info({ requestId, ...known, status, address: socket.remoteAddress }, `refused: ${refusal.message}`);
      socket.end(rawAnswer(refusal, requestId), () => socket.destroy());
    } else {
      socket.destroySoon();
    }
  };
}

function rawAnswer(error: DomainError, requestId: string): string {
  const status = statusOf(error.code);
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
