import { HttpException } from '@nestjs/common';
import { errorStatuses, type ErrorBody, type ErrorCode } from '@petstore/contracts';
import { isDatabaseUnavailable } from '../../database/database-error.js';
import { DomainError } from '../../errors/domain-error.js';
import { databaseAway } from '../../errors/unavailable.js';
import { routeNotFound } from '../routing/unrouted.js';

const badRequest = new DomainError('bad_request', 'The request cannot be read.');
const internalError = new DomainError(
  'internal_error',
  'Something went wrong here. The log has it under the request id.',
);

/**
 * Every error there can be, as one of the contract's. What nobody foresaw is an internal error that says nothing.
 * `bodyLimit` is that of the request, in bytes.
 */
export function toDomainError(error: unknown, bodyLimit: number): DomainError {
  if (error instanceof DomainError) return error;
  // Nest wraps the refusals of Fastify; the original has the code.
  const origin = error instanceof HttpException && error.cause ? error.cause : error;
  const { code, statusCode } = origin as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson;
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (status === 404) return routeNotFound;
  if (status >= 400 && status < 500) return badRequest;
  return isDatabaseUnavailable(error) ? databaseAway({ cause: error }) : internalError;
}

const notJson = new DomainError(
  'unsupported_media_type',
  'A body has to be JSON: send it with Content-Type: application/json.',
);

function tooLarge(bodyLimit: number): DomainError {
  return new DomainError('payload_too_large', `The body is larger than the ${bodyLimit} bytes this service accepts.`);
}

export function toErrorBody({ code, message }: DomainError): ErrorBody {
  return { code, message, status: statusOf(code) };
}

export function statusOf(code: ErrorCode): number {
  return errorStatuses[code];
}
