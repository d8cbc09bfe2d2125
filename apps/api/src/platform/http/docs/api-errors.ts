import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse, ApiSchema } from '@nestjs/swagger';
import { type ErrorBody, type ErrorCode, errorCodes, errorStatuses } from '@petstore/contracts';
import { type ApiHeader, headerRefs, rateLimitHeaders } from './api-headers.js';

@ApiSchema({ name: 'Error', description: 'The body of every error answer.' })
export class ErrorDto implements ErrorBody {
  @ApiProperty({ description: 'Machine-readable error code.', enum: errorCodes, example: 'invalid_body' })
  code!: ErrorCode;

  @ApiProperty({
    description: 'Human-readable description: what is wrong and what is allowed.',
    example: 'The body cannot be used: status must be one of available, pending, sold.',
  })
  message!: string;

  @ApiProperty({ description: 'The HTTP status code.', type: 'integer', minimum: 400, maximum: 599, example: 400 })
  status!: number;
}

const meanings: Record<ErrorCode, string> = {
  invalid_json: 'The body is not one JSON text in UTF-8.',
  invalid_body: 'Fields are missing, unknown or invalid; the message names each.',
  invalid_query: 'A query parameter is unknown, repeated or invalid; the message names it.',
  invalid_cursor: '`after` is no cursor of this list.',
  invalid_idempotency_key: 'The header Idempotency-Key cannot be used.',
  bad_request: 'The request cannot be read.',
  missing_api_key: 'No API key was sent.',
  invalid_api_key: 'The API key is unknown, expired or revoked.',
  insufficient_scope: 'The API key lacks the scope for this operation.',
  pet_not_found: 'No animal has this id.',
  route_not_found: 'There is nothing at this path.',
  method_not_allowed: 'The path does not have this method.',
  request_timeout: 'The request did not arrive in time.',
  idempotency_key_in_use: 'A request with this Idempotency-Key is still running.',
  gone: 'The operation was removed on 5 December 2030.',
  payload_too_large: 'The body is too large.',
  unsupported_media_type: 'The body is not application/json.',
  idempotency_key_reused: 'This Idempotency-Key was used for another animal.',
  rate_limited: 'Too many requests; try again after Retry-After.',
  headers_too_large: 'The headers are too large.',
  internal_error: 'Something went wrong in the service.',
  service_unavailable: 'The service cannot answer right now; try again after Retry-After.',
};

const headersOf: Partial<Record<ErrorCode, readonly ApiHeader[]>> = {
  missing_api_key: ['WWW-Authenticate'],
  rate_limited: ['Retry-After'],
  service_unavailable: ['Retry-After'],
  idempotency_key_in_use: ['Retry-After'],
};

/** What any operation may answer, whatever it does. */
const everywhere = [
  'bad_request',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const satisfies ErrorCode[];

/** Answered while the request is still being read: no operation is known yet. */
const unread = new Set<ErrorCode>(['request_timeout', 'headers_too_large']);

/** Answered before a key is counted. */
const uncounted = new Set<ErrorCode>(['missing_api_key', 'invalid_api_key', ...unread]);

/** States the errors of an operation, beside those that any may answer: one response a status, one example a code. */
export function ApiErrors(codes: readonly ErrorCode[], headers: readonly ApiHeader[] = []): MethodDecorator {
  const all = [...codes, ...everywhere];
  const statuses = [...new Set(all.map((code) => errorStatuses[code]))].toSorted((a, b) => a - b);
  return applyDecorators(
    ...statuses.map((status) =>
      response(
        status,
        all.filter((code) => errorStatuses[code] === status),
        headers,
      ),
    ),
  );
}

function response(status: number, codes: ErrorCode[], headers: readonly ApiHeader[]): MethodDecorator {
  const examples = codes.map((code) => [code, { summary: code, value: { code, message: meanings[code], status } }]);
  return ApiResponse({
    status,
    description: codes.map((code) => meanings[code]).join(' '),
    headers: headerRefs([
      ...codes.flatMap((code) => headersOf[code] ?? []),
      ...(codes.every((code) => unread.has(code)) ? [] : headers),
      ...(codes.every((code) => uncounted.has(code)) ? [] : rateLimitHeaders),
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples) as Record<string, { summary: string; value: ErrorBody }>,
      },
    },
  });
}
