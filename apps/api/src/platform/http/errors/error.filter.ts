import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorTable } from '@petstore/contracts';
import type { Logger } from 'pino';
import { type Config, CONFIG } from '../../config/config.js';
import { DomainError } from '../../errors/domain-error.js';
import { hideKeys, LOGGER } from '../../logging/logger.js';
import { CoalescedLog } from '../../logging/coalesced-log.js';
import { rateLimitHeaders } from '../security/rate-limit-headers.js';
import { toDomainError, toErrorBody } from './error-response.js';

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
