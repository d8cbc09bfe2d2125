import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse, ApiSchema, type OpenAPIObject } from '@nestjs/swagger';
import { type ErrorBody, type ErrorCode, errorCodes, errorTable } from '@petstore/contracts';
import { deprecationHeaderNames, headerRefs, rateLimitHeaderNames } from './api-headers.js';

export type ResponsesObject = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
type ResponseObject = Exclude<ResponsesObject[string], { $ref: string }>;

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
  insufficient_scope: ['WWW-Authenticate.scope'],
  rate_limited: ['Retry-After'],
  service_unavailable: ['Retry-After'],
  idempotency_key_in_use: ['Retry-After'],
};

/** Returned before the rate limit is checked. */
const uncounted = new Set<ErrorCode>(['missing_api_key', 'invalid_api_key', 'insufficient_scope', 'headers_too_large']);

/**
 * Describes an error response, with an example of each code. All codes have the same status. `headers` are those of its
 * operations, besides those of its codes. `messages` replace the examples of the table.
 */
export function errorResponse(
  codes: readonly [ErrorCode, ...ErrorCode[]],
  headers: readonly string[] = [],
  messages: Partial<Record<ErrorCode, string>> = {},
): ResponseObject {
  const { status } = errorTable[codes[0]];
  const bodies = codes.map((code) => [
    code,
    { summary: code, value: { code, message: messages[code] ?? errorTable[code].message, status } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
    headers: headerRefs([
      'Cache-Control.error',
      ...codes.flatMap((code) => headersOf[code] ?? []),
      ...(codes.every((code) => uncounted.has(code)) ? [] : rateLimitHeaderNames),
      ...headers,
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(bodies) as Record<string, { summary: string; value: ErrorBody }>,
      },
    },
  };
}

const sharedErrors = {
  Unauthorized: errorResponse(['missing_api_key', 'invalid_api_key']),
  Forbidden: errorResponse(['insufficient_scope']),
  RequestTimeout: errorResponse(['request_timeout']),
  PayloadTooLarge: errorResponse(['payload_too_large']),
  UnsupportedMediaType: errorResponse(['unsupported_media_type']),
  TooManyRequests: errorResponse(['rate_limited']),
  HeadersTooLarge: errorResponse(['headers_too_large']),
  InternalError: errorResponse(['internal_error']),
  ServiceUnavailable: errorResponse(['service_unavailable']),
} satisfies ResponsesObject;

/** Returns a response with the headers that announce the removal of an operation. */
function deprecated(response: ResponseObject): ResponseObject {
  return { ...response, headers: { ...response.headers, ...headerRefs(deprecationHeaderNames) } };
}

/** The error responses of any feature, by name. Operations share them. */
export const apiErrors = {
  ...sharedErrors,
  DeprecatedUnauthorized: deprecated(sharedErrors.Unauthorized),
  DeprecatedForbidden: deprecated(sharedErrors.Forbidden),
  DeprecatedTooManyRequests: deprecated(sharedErrors.TooManyRequests),
  DeprecatedInternalError: deprecated(sharedErrors.InternalError),
  DeprecatedServiceUnavailable: deprecated(sharedErrors.ServiceUnavailable),
} satisfies ResponsesObject;

const everywhere = {
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'RequestTimeout',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
} satisfies Record<number, keyof typeof apiErrors>;

/** What a deprecated operation returns instead. Requests that cannot be parsed belong to no operation: 408, 431. */
export const deprecatedErrors = {
  401: 'DeprecatedUnauthorized',
  403: 'DeprecatedForbidden',
  429: 'DeprecatedTooManyRequests',
  500: 'DeprecatedInternalError',
  503: 'DeprecatedServiceUnavailable',
} satisfies Record<number, keyof typeof apiErrors>;

/**
 * Documents the error responses of an operation. `names` are those of the responses, by status; they add to those that every
 * operation may return, or replace them. The type argument is the names of the feature's own responses.
 */
export function ApiErrors<FeatureError extends string = never>(
  names: Readonly<Record<number, NoInfer<FeatureError> | keyof typeof apiErrors>>,
): MethodDecorator {
  const references = Object.entries({ ...everywhere, ...names }).map(([status, name]) => {
    // The type of a literal argument does not allow `$ref`, but Nest copies it into the document.
    const reference = { status: Number(status), $ref: `#/components/responses/${name}` };
    return ApiResponse(reference);
  });
  return applyDecorators(...references);
}
