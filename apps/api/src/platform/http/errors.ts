import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { type ErrorCode, errorTable } from '@petstore/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Config, CONFIG } from '../config/config.js';
import { isDatabaseUnavailable } from '../database/database-error.js';
import { databaseAway, DomainError, toErrorBody } from '../errors/domain-error.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import { hideKeys, LOGGER } from '../logging/logger.js';
import type { Connections } from './connections.js';
import type { HttpLimits } from './limits.js';

interface Failure {
  message: string;
  requestId: string;
  err: unknown;
}

/** Converts every error to a response, and logs the cause of a 5xx. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly hide: (text: string) => string;
  private readonly rejections: CoalescedLog<string>;
  private readonly outages: CoalescedLog<Failure>;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) { bootstrapApiKey }: Config,
  ) {
    this.hide = hideKeys(bootstrapApiKey);
    this.rejections = new CoalescedLog((rejected, message) => logger.warn({ rejected }, message));
    this.outages = new CoalescedLog((failed, { message, ...failure }) => logger.error({ failed, ...failure }, message));
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = toDomainError(thrown, request);
    const { status } = errorTable[error.code];
    if (status >= 500) this.log(thrown, error, request);
    // Fastify would end the connection after every error of a body. connections.ts ends it if much remains of one.
    void reply.removeHeader('connection');
    // As Node does for their size. Node accepts one connection per turn, so a client that sends many cannot be fast.
    if (status === 431) void reply.header('connection', 'close');
    if (error.retryAfter !== undefined) void reply.header('Retry-After', String(error.retryAfter));
    const body = toErrorBody(error);
    void reply
      .status(status)
      .header('Cache-Control', 'no-store')
      // A message can repeat input, and clients send keys in the wrong place.
      .send({ ...body, message: this.hide(body.message) });
  }

  private log(thrown: unknown, { code, message }: DomainError, { id: requestId }: FastifyRequest): void {
    const cause = thrown instanceof DomainError ? thrown.cause : thrown;
    if (cause === undefined) this.rejections.add(message);
    // An outage fails every request for the same reason.
    else if (code === 'service_unavailable') this.outages.add({ message, requestId, err: cause });
    else this.logger.error({ requestId, err: cause }, message);
  }
}

/** The codes of errors of Nest and Fastify, by status. */
const codes: Readonly<Record<number, ErrorCode>> = {
  403: 'insufficient_scope',
  404: 'route_not_found',
  415: 'unsupported_media_type',
};

/** Converts any error to one of the contract's. An unexpected error becomes an internal error without details. */
function toDomainError(error: unknown, { routeOptions }: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  const status = statusOf(error);
  if (status >= 500)
    return isDatabaseUnavailable(error) ? databaseAway({ cause: error }) : new DomainError('internal_error');
  if (status === 413) {
    return new DomainError('payload_too_large', `The body is too large. The limit is ${routeOptions.bodyLimit} bytes.`);
  }
  const code = codes[status];
  return code ? new DomainError(code) : new DomainError('bad_request', errorTable.bad_request.meaning);
}

/** The status of an error of Nest or Fastify. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  return (error as { statusCode?: number } | undefined)?.statusCode ?? 500;
}

/** How often a malformed request that is still in progress is looked at again. */
const waitMs = 100;

export function headersTooLarge({ headerBytes, headerLines }: HttpLimits): DomainError {
  const message = `The headers are too large. The limits are ${headerBytes} bytes and ${headerLines} lines.`;
  return new DomainError('headers_too_large', message);
}

/** Responds to requests that Node's HTTP parser rejects, with the body of every other error. */
export class ClientErrors {
  constructor(
    private readonly connections: Connections,
    private readonly limits: HttpLimits,
    private readonly logger: Logger,
  ) {}

  /** The handler of the event `clientError` of the server. In the next turn, Fastify usually reads the body or has responded. */
  handle(error: Error & { code?: string }, socket: Socket): void {
    setImmediate(() => this.respond(error.code, socket));
  }

  private respond(code: string | undefined, socket: Socket): void {
    const reply = this.connections.current(socket);
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (!reply) {
      this.reject(this.rejectionOf(code), socket);
    } else if (reply.request.raw.listenerCount('data') > 0) {
      // Fastify waits for the rest of the body.
      void reply.send(this.rejectionOf(code));
    } else if (reply.raw.writableFinished && !reply.request.raw.complete) {
      // The body of a request that has its response.
      socket.destroy();
    } else {
      // The request waits for its start or its response, which does not need the malformed bytes.
      setTimeout(() => this.respond(code, socket), waitMs).unref();
    }
  }

  private rejectionOf(code: string | undefined): DomainError {
    const { headersTimeoutMs, requestTimeoutMs } = this.limits;
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      const limits = `${headersTimeoutMs / 1000} s for the headers and ${requestTimeoutMs / 1000} s in total`;
      return new DomainError('request_timeout', `The request did not arrive in time. The limits are ${limits}.`);
    }
    if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge(this.limits);
    return new DomainError('bad_request', 'The request is not valid HTTP/1.1. Percent-encode its target as UTF-8.');
  }

  /** Responds without Fastify, because Node has not read the headers. */
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
