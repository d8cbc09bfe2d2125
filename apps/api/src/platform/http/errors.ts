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
import { expectsContinue } from './enter.js';
import { type HttpLimits, rateLimitHeaders } from './limits.js';

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
    const status = errorTable[error.code].status;
    if (status >= 500) this.log(thrown, error, request);
    // Fastify closes the connection after every error of a body. `leave` limits what remains of one that is too large.
    const isLimited = error.code === 'payload_too_large' && !expectsContinue(request);
    if (request.raw.complete || isLimited) void reply.removeHeader('connection');
    const body = toErrorBody(error);
    void reply
      .status(status)
      .headers({ ...headersOf(error), 'Cache-Control': 'no-store' })
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

function headersOf({ code, retryAfter, rateLimit }: DomainError): Record<string, string> {
  return {
    // RFC 6750, section 3: without an error code when no key was sent.
    ...(code === 'missing_api_key' && { 'WWW-Authenticate': 'Bearer realm="petstore"' }),
    ...(code === 'invalid_api_key' && { 'WWW-Authenticate': 'Bearer realm="petstore", error="invalid_token"' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...(rateLimit && rateLimitHeaders(rateLimit, 0, retryAfter ?? rateLimit.windowSeconds)),
  };
}

/** The codes of Nest's own exceptions, by their status. */
const codeOf: Readonly<Record<number, ErrorCode>> = {
  401: 'missing_api_key',
  403: 'insufficient_scope',
  404: 'route_not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'idempotency_key_in_use',
  410: 'gone',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_key_reused',
  429: 'rate_limited',
  503: 'service_unavailable',
};

const badRequest = new DomainError('bad_request', 'The request is malformed.');
const internalError = new DomainError('internal_error');
const notJson = new DomainError('unsupported_media_type');

/** Converts any error to one of the contract's. An unexpected error becomes an internal error without details. */
function toDomainError(error: unknown, { is404: isUnmatched, routeOptions }: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  // Nest wraps the errors of Fastify. Only the original has the code.
  const origin = error instanceof HttpException && error.cause ? error.cause : error;
  const { code, statusCode } = origin as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(routeOptions.bodyLimit);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson;
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (error instanceof HttpException && origin === error && (status < 500 || status === 503)) {
    return ofNest(error, isUnmatched);
  }
  if (status >= 400 && status < 500) return badRequest;
  return isDatabaseUnavailable(error) ? databaseAway({ cause: error }) : internalError;
}

/** An exception that the code of a feature, or Nest, threw. Nest's message about an unknown path repeats the path. */
function ofNest(error: HttpException, isUnmatched: boolean): DomainError {
  const code = codeOf[error.getStatus()] ?? 'bad_request';
  return new DomainError(code, isUnmatched ? undefined : error.message, {
    ...(code === 'service_unavailable' && { retryAfter: 1 }),
  });
}

/** `bodyLimit` is in bytes. */
function tooLarge(bodyLimit: number): DomainError {
  return new DomainError('payload_too_large', `The body is too large. The limit is ${bodyLimit} bytes.`);
}

interface ClientErrorOptions {
  connections: Connections;
  limits: HttpLimits;
  logger: Logger;
}

/** Responds to requests that Node's HTTP parser rejects, with the body of every other error. */
export function clientErrorHandler({ connections, limits, logger }: ClientErrorOptions) {
  const parserErrors = errorsOf(limits);
  return function respond(error: Error & { code?: string }, socket: Socket): void {
    const reply = connections.oldest(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (reply?.request.raw.complete) {
      // The malformed request follows one that is still in progress.
      reply.raw.once('close', () => respond(error, socket));
    } else if (reply?.raw.headersSent) {
      socket.destroy();
    } else {
      const rejection = parserErrors[error.code ?? ''] ?? new DomainError('bad_request');
      // Fastify has the request if its headers were read.
      if (reply) void reply.header('connection', 'close').send(rejection);
      else reject(rejection, socket, logger);
    }
  };
}

/** Without Fastify: Node has not read the headers. */
function reject(error: DomainError, socket: Socket, logger: Logger): void {
  const requestId = randomUUID();
  const { status } = errorTable[error.code];
  logger.info({ requestId, status, address: socket.remoteAddress }, `rejected: ${error.message}`);
  socket.end(rawResponse(error, requestId), () => socket.destroy());
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
    HPE_INVALID_URL: new DomainError(
      'bad_request',
      'The request target is not a valid URL. Percent-encode it as UTF-8, for example ö as %C3%B6.',
    ),
    // After a space, the parser expects the version.
    HPE_INVALID_CONSTANT: new DomainError(
      'bad_request',
      'The request line is not valid HTTP/1.1. Encode a space in the address as %20.',
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
