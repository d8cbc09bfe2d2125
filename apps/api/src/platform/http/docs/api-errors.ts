import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse, ApiSchema } from '@nestjs/swagger';
import { type ErrorBody, type ErrorCode, errorCodes, errorTable } from '@petstore/contracts';
import { headerRefs, rateLimitHeaderNames } from './api-headers.js';

@ApiSchema({ name: 'Error', description: 'The body of every error response.' })
export class ErrorDto implements ErrorBody {
  @ApiProperty({
    description: `Machine-readable error code. More codes may be added: if you do not know a code, act on the HTTP status. Known codes: ${errorCodes.map((code) => `\`${code}\``).join(', ')}.`,
    type: String,
    examples: ['invalid_query', 'missing_api_key', 'rate_limited'],
  })
  code!: ErrorCode;

  @ApiProperty({
    description: 'Human-readable description: what is wrong and how to fix it.',
    example: errorTable.invalid_query.message,
  })
  message!: string;

  @ApiProperty({ description: 'The HTTP status code.', type: 'integer', minimum: 400, maximum: 599, example: 400 })
  status!: number;
}

const headersOf: Partial<Record<ErrorCode, readonly string[]>> = {
  missing_api_key: ['WWW-Authenticate'],
  insufficient_scope: ['WWW-Authenticate'],
  rate_limited: ['Retry-After'],
  service_unavailable: ['Retry-After'],
  idempotency_key_in_use: ['Retry-After'],
};

/** The codes that every operation may return. */
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

/** Returned while the request is read, before the operation is known. */
const unread = new Set<ErrorCode>(['request_timeout', 'headers_too_large']);

/** Returned before the rate limit is checked. */
const uncounted = new Set<ErrorCode>(['missing_api_key', 'invalid_api_key', 'insufficient_scope', ...unread]);

interface ErrorsOptions {
  /** Headers of all these responses. */
  headers?: readonly string[];
  /** Messages that differ from the usual example. */
  examples?: Partial<Record<ErrorCode, string>>;
}

/** Documents the error codes of an operation and those that every operation may return, with one example each. */
export function ApiErrors(codes: readonly ErrorCode[], options: ErrorsOptions = {}): MethodDecorator {
  const all = [...codes, ...everywhere];
  const statuses = [...new Set(all.map((code) => errorTable[code].status))].toSorted((a, b) => a - b);
  return applyDecorators(
    ...statuses.map((status) =>
      response(
        status,
        all.filter((code) => errorTable[code].status === status),
        options,
      ),
    ),
  );
}

function response(status: number, codes: ErrorCode[], { headers = [], examples }: ErrorsOptions): MethodDecorator {
  const bodies = codes.map((code) => {
    const message = examples?.[code] ?? errorTable[code].message;
    return [code, { summary: code, value: { code, message, status } }];
  });
  return ApiResponse({
    status,
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
    headers: headerRefs([
      ...codes.flatMap((code) => headersOf[code] ?? []),
      ...(codes.every((code) => unread.has(code)) ? [] : headers),
      ...(codes.every((code) => uncounted.has(code)) ? [] : rateLimitHeaderNames),
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(bodies) as Record<string, { summary: string; value: ErrorBody }>,
      },
    },
  });
}
