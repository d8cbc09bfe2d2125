import type { OpenAPIObject } from '@nestjs/swagger';
import { getPetRemovalDate } from '@petstore/contracts';
import { requestIdPattern } from '../response-headers.js';

export type HeadersObject = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;
type Header = HeadersObject[string];
type ParametersObject = NonNullable<NonNullable<OpenAPIObject['components']>['parameters']>;

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
} satisfies ParametersObject;

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
