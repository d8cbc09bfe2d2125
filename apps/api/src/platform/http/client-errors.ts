import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../errors/domain-error.js';
import { statusOf, toErrorBody } from './error-answer.js';
import { httpLimits } from './limits.js';

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

/** Answers what Node's HTTP parser refuses, which never becomes a request, in the shape of every other error. */
export function answerClientError(error: Error & { code?: string }, socket: AnsweringSocket): void {
  const answering = socket._httpMessage;
  if (answering?.req.complete) {
    // The fault is in what came behind that request, which gets its own answer first.
    answering.once('close', () => answerClientError(error, socket));
  } else if (error.code === 'ECONNRESET' || answering?.headersSent) {
    socket.destroy();
  } else if (socket.writable) {
    socket.end(rawAnswer(refusals[error.code ?? ''] ?? unreadable), () => socket.destroy());
  } else {
    socket.destroySoon();
  }
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
