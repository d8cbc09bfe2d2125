import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { errorTable } from '@petstore/contracts';
import type { Logger } from 'pino';
import { DomainError, toErrorBody } from '../errors/domain-error.js';
import { LOGGER } from '../logging/logger.js';
import { Connections } from './connections.js';
import { HTTP_LIMITS, type HttpLimits } from './limits.js';

/** Responds to requests that Node's HTTP parser rejects, with the body of every other error. */
@Injectable()
export class ClientErrors {
  constructor(
    private readonly connections: Connections,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The handler of the event `clientError` of the server. */
  respond(error: Error & { code?: string }, socket: Socket): void {
    const reply = this.connections.oldest(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (reply?.request.raw.complete) {
      // The malformed request follows one that is still in progress.
      reply.raw.once('close', () => this.respond(error, socket));
    } else if (reply?.raw.headersSent) {
      socket.destroy();
    } else if (reply) {
      // Fastify has the request, because its headers were read.
      void reply.header('connection', 'close').send(this.rejectionOf(error.code));
    } else {
      this.reject(this.rejectionOf(error.code), socket);
    }
  }

  private rejectionOf(code: string | undefined): DomainError {
    const { headersTimeoutMs, requestTimeoutMs, headerBytes } = this.limits;
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      const limits = `${headersTimeoutMs / 1000} s for the headers and ${requestTimeoutMs / 1000} s in total`;
      return new DomainError('request_timeout', `The request did not arrive in time. The limits are ${limits}.`);
    }
    if (code === 'HPE_HEADER_OVERFLOW') {
      return new DomainError('headers_too_large', `The headers are too large. The limit is ${headerBytes} bytes.`);
    }
    return new DomainError('bad_request', 'The request is not valid HTTP/1.1. Percent-encode its target as UTF-8.');
  }

  /** Without Fastify: Node has not read the headers. */
  private reject(error: DomainError, socket: Socket): void {
    const requestId = randomUUID();
    const { status } = errorTable[error.code];
    this.logger.info({ requestId, status, address: socket.remoteAddress }, `rejected: ${error.message}`);
    const body = JSON.stringify(toErrorBody(error));
    const response = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ];
    socket.end(response.join('\r\n'), () => socket.destroy());
  }
}
