import { ApiProperty, ApiSchema, type OpenAPIObject } from '@nestjs/swagger';
import { type ErrorBody, type ErrorCode, errorCodes, errorTable, getPetRemovalDate } from '@petstore/contracts';
import { requestIdPattern } from '../response-headers.js';

type Components = NonNullable<OpenAPIObject['components']>;
export type HeadersObject = NonNullable<Components['headers']>;
type Header = HeadersObject[string];
export type ResponsesObject = NonNullable<Components['responses']>;
type ResponseObject = Exclude<ResponsesObject[string], { $ref: string }>;

/** A header whose value is a text. */
export function text(description: string, example: string): Header {
  return { description, schema: { type: 'string' }, example };
}

/** The parameters of every operation, by name. */
export const apiParameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your own identifier of this request in the log of the service: 1 to 128 characters of `A-Z a-z 0-9 . _ -`. If it is missing or invalid, the service generates one.',
    required: false,
    // No length and no pattern: the service rejects no value.
    schema: { type: 'string' },
  },
} satisfies Components['parameters'];

/** The headers that responses of any feature may have. */
export const apiHeaders = {
  'X-Request-Id': {
    description: 'Identifies this request in the log: the id that the client sent, or a generated one.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: requestIdPattern.source },
    example: '3f6d0c1e-8a53-4a8e-9f0e-1c2b3a4d5e6f',
  },
  ETag: text('Identifies this response for If-None-Match (RFC 9110).', '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'),
  'Cache-Control': text('Only the client may cache the response, and must revalidate it.', 'private, no-cache'),
  'Cache-Control.error': text('No cache may store the response.', 'no-store'),
  Vary: text('The response depends on the API key.', 'Authorization'),
  'WWW-Authenticate': text(
    'How to authenticate (RFC 6750). If the request has a key, `error` is `invalid_token`.',
    'Bearer realm="petstore", error="invalid_token"',
  ),
  'WWW-Authenticate.scope': {
    description: 'The scope that the API key must have: `write` to create, else `read` (RFC 6750).',
    schema: { type: 'string' },
    examples: {
      read: { value: 'Bearer realm="petstore", error="insufficient_scope", scope="read"' },
      write: { value: 'Bearer realm="petstore", error="insufficient_scope", scope="write"' },
    },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt (RFC 9110).',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'RateLimit-Policy': text(
    'The rate limit, if there is one: at most `q` requests in `w` seconds.',
    '"requests";q=600;w=60',
  ),
  RateLimit: text('`r` requests remain. The quota is reset in `t` seconds.', '"requests";r=599;t=42'),
  Deprecation: text(
    'When the operation was deprecated, as a Unix time (RFC 9745). Only deprecated operations send it.',
    '@1795132800',
  ),
  Sunset: text(
    'When the operation will be removed (RFC 8594). Only deprecated operations send it.',
    new Date(`${getPetRemovalDate} UTC`).toUTCString(),
  ),
  'Link.successor': text(
    'Links to the replacement of the operation (RFC 5829). Only deprecated operations send it.',
    '</v1/pets>; rel="successor-version"',
  ),
} satisfies HeadersObject;

/** Every response to a valid key with the scope of the operation has them if RATE_LIMIT_PER_MINUTE is set. */
export const rateLimitHeaderNames = ['RateLimit-Policy', 'RateLimit'] as const;

/** Every response of a deprecated operation has them. */
export const deprecationHeaderNames = ['Deprecation', 'Sunset', 'Link.successor'] as const;

/** References to the headers of a response. A suffix after a dot distinguishes uses of one header. */
export function headerRefs(names: readonly string[]): HeadersObject {
  return Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name.replace(/\..*/, ''), { $ref: `#/components/headers/${name}` }]),
  );
}

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

/** A deprecated operation returns its own ones. Requests that cannot be parsed belong to no operation: 408, 431. */
const ofDeprecated = ['Unauthorized', 'Forbidden', 'TooManyRequests', 'InternalError', 'ServiceUnavailable'] as const;

/** Returns a response with the headers that announce the removal of an operation. */
function deprecated(response: ResponseObject): ResponseObject {
  return { ...response, headers: { ...response.headers, ...headerRefs(deprecationHeaderNames) } };
}

/** The error responses of any feature, by name. Operations share them. */
export const apiErrors: ResponsesObject = {
  ...sharedErrors,
  ...Object.fromEntries(ofDeprecated.map((name) => [`Deprecated${name}`, deprecated(sharedErrors[name])])),
};

/** The error responses that every operation may return, by status. */
const everywhere: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'RequestTimeout',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** References to the error responses of an operation: those of `everywhere`, and its own, by status. */
export function errorRefs(own: Readonly<Record<number, string>>, isDeprecated: boolean): ResponsesObject {
  const refs = Object.entries({ ...everywhere, ...own }).map(([status, name]) => {
    const prefix = isDeprecated && ofDeprecated.some((other) => other === name) ? 'Deprecated' : '';
    return [status, { $ref: `#/components/responses/${prefix}${name}` }];
  });
  return Object.fromEntries(refs) as ResponsesObject;
}
