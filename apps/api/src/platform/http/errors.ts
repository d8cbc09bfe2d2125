import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { errorTable } from '@petstore/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Config, CONFIG } from '../config/config.js';
import { isDatabaseUnavailable } from '../database/database-error.js';
import { databaseAway, DomainError, toErrorBody } from '../errors/domain-error.js';
import { CoalescedLog } from '../logging/coalesced-log.js';
import { hideKeys, LOGGER } from '../logging/logger.js';

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
    // Fastify closes the connection after every error of a body. unread-bodies.ts limits what remains of one.
    if (request.raw.complete || status === 413) void reply.removeHeader('connection');
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

/** Converts any error to one of the contract's. An unexpected error becomes an internal error without details. */
function toDomainError(error: unknown, { routeOptions }: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  const status = statusOf(error);
  if (status >= 500)
    return isDatabaseUnavailable(error) ? databaseAway({ cause: error }) : new DomainError('internal_error');
  switch (status) {
    case 404:
      return new DomainError('route_not_found');
    case 413: {
      const message = `The body is too large. The limit is ${routeOptions.bodyLimit} bytes.`;
      return new DomainError('payload_too_large', message);
    }
    case 415:
      return new DomainError('unsupported_media_type');
    default:
      return new DomainError('bad_request', 'The request is malformed.');
  }
}

/** The status of an error of Nest or Fastify. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  return (error as { statusCode?: number } | undefined)?.statusCode ?? 500;
}
