import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorTable } from '@petstore/contracts';
import type { Logger } from 'pino';
import { type Config, CONFIG } from '../config/config.js';
import { isDatabaseUnavailable } from '../database/database-error.js';
import { databaseAway, DomainError, toErrorBody } from '../errors/domain-error.js';
import { hideKeys, LOGGER } from '../logging/logger.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import { rateLimitHeaders } from './rate-limit.js';

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
    const error = toDomainError(thrown, request.routeOptions.bodyLimit);
    const status = errorTable[error.code].status;
    if (status >= 500) this.log(thrown, error, request);
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

const badRequest = new DomainError('bad_request', 'The request is malformed.');
const internalError = new DomainError('internal_error');
const notJson = new DomainError('unsupported_media_type');

/**
 * Converts any error to one of the contract's. An unexpected error becomes an internal error without details.
 * `bodyLimit` is in bytes.
 */
function toDomainError(error: unknown, bodyLimit: number): DomainError {
  if (error instanceof DomainError) return error;
  // Nest wraps the errors of Fastify. Only the original has the code.
  const origin = error instanceof HttpException && error.cause ? error.cause : error;
  const { code, statusCode } = origin as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson;
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (status === 404) return new DomainError('route_not_found');
  if (status >= 400 && status < 500) return badRequest;
  return isDatabaseUnavailable(error) ? databaseAway({ cause: error }) : internalError;
}

function tooLarge(bodyLimit: number): DomainError {
  return new DomainError('payload_too_large', `The body is too large. The limit is ${bodyLimit} bytes.`);
}
