import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { DomainError } from '../errors/domain-error.js';
import { statusOf, toErrorBody } from './error-answer.js';
import { httpLimits } from './limits.js';

const refusals: Readonly<Record<string, DomainError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError(
    'request_timeout',
    `The request did not arrive in time: ${httpLimits.headersTimeoutMs / 1000} s for its headers, ${httpLimits.requestTimeoutMs / 1000} s for all of it.`,
  ),
  HPE_HEADER_OVERFLOW: new DomainError(
    'headers_too_large',
    `The headers are larger than the ${httpLimits.headerBytes} bytes this service accepts.`,
  ),
};
const unreadable = new DomainError('bad_request', 'This is not an HTTP/1.1 request that can be read.');

/** Answers what Node's HTTP parser refuses, which never becomes a request, in the shape of every other error. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const answering = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswer(refusals[error.code ?? ''] ?? unreadable), () => socket.destroy());
}

function rawAnswer(error: DomainError): string {
  const status = statusOf(error.code);
  const body = JSON.stringify(toErrorBody(error));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
