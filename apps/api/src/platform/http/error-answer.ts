import { HttpException } from '@nestjs/common';
import { errorStatuses, type ErrorBody, type ErrorCode } from '@petstore/contracts';
import { isDatabaseUnavailable } from '../database/database-error.js';
import { DomainError } from '../errors/domain-error.js';

/** What Fastify and the HTTP parser refuse, in the contract's words. */
const frameworkErrors: Readonly<Record<string, DomainError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new DomainError('payload_too_large', 'The body is larger than this service accepts.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new DomainError(
    'unsupported_media_type',
    'A body has to be JSON: send it with Content-Type: application/json.',
  ),
  FST_ERR_BAD_URL: new DomainError('bad_request', 'The path holds percent-encoding that cannot be decoded.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new DomainError('bad_request', 'The body does not have the length it announced.'),
};

const routeNotFound = new DomainError('route_not_found', 'There is nothing at this path. The API is documented at /docs.');
const badRequest = new DomainError('bad_request', 'The request cannot be read.');
const internalError = new DomainError('internal_error', 'Something went wrong here. The log has it under the request id.');

/** Every error there can be, as one of the contract's. What nobody foresaw is an internal error that says nothing. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isDatabaseUnavailable(error)) {
    const message = 'The database cannot be reached right now. Nothing was changed; try again.';
    return new DomainError('service_unavailable', message, { cause: error, retryAfter: 1 });
  }
  // Nest wraps the refusals of Fastify; the original has the code.
  const origin = error instanceof HttpException && error.cause ? error.cause : error;
  const known = frameworkErrors[(origin as { code?: string }).code ?? ''];
  if (known) return known;
  const status = error instanceof HttpException ? error.getStatus() : (origin as { statusCode?: number }).statusCode;
  if (status === 404) return routeNotFound;
  return status !== undefined && status >= 400 && status < 500 ? badRequest : internalError;
}

export function toErrorBody({ code, message }: DomainError): ErrorBody {
  return { code, message, status: statusOf(code) };
}

export function statusOf(code: ErrorCode): number {
  return errorStatuses[code];
}
