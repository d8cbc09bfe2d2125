import { HttpException } from '@nestjs/common';
import { errorTable, type ErrorBody } from '@petstore/contracts';
import { isDatabaseUnavailable } from '../../database/database-error.js';
import { DomainError } from '../../errors/domain-error.js';
import { databaseAway } from '../../errors/unavailable.js';
import { routeNotFound } from '../routing/unrouted.js';

const badRequest = new DomainError('bad_request', 'The request is malformed.');
const internalError = new DomainError('internal_error');
const notJson = new DomainError('unsupported_media_type');

/**
 * Converts any error to one of the contract's. An unexpected error becomes an internal error without details.
 * `bodyLimit` is in bytes.
 */
export function toDomainError(error: unknown, bodyLimit: number): DomainError {
  if (error instanceof DomainError) return error;
  // Nest wraps the errors of Fastify. Only the original has the code.
  const origin = error instanceof HttpException && error.cause ? error.cause : error;
  const { code, statusCode } = origin as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson;
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (status === 404) return routeNotFound;
  if (status >= 400 && status < 500) return badRequest;
  return isDatabaseUnavailable(error) ? databaseAway({ cause: error }) : internalError;
}

function tooLarge(bodyLimit: number): DomainError {
  return new DomainError('payload_too_large', `The body is too large. The limit is ${bodyLimit} bytes.`);
}

export function toErrorBody({ code, message }: DomainError): ErrorBody {
  return { code, message, status: errorTable[code].status };
}
