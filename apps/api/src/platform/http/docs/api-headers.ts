import type { OpenAPIObject } from '@nestjs/swagger';

export type HeadersObject = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

/** The headers that responses of any feature may have. */
export const apiHeaders = {
  'X-Request-Id': {
    description: 'Identifies this request in the log: the id that the client sent, or a generated one.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: '3f6d0c1e-8a53-4a8e-9f0e-1c2b3a4d5e6f',
  },
  ETag: {
    description: 'Identifies this response for If-None-Match (RFC 9110).',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  'Cache-Control': {
    description: 'Only the client may cache the response, and must revalidate it.',
    schema: { type: 'string' },
    example: 'private, no-cache',
  },
  Vary: { description: 'The response depends on the API key.', schema: { type: 'string' }, example: 'Authorization' },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer realm="petstore"',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt (RFC 9110).',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'RateLimit-Policy': {
    description: 'The rate limit, if there is one: at most `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"requests";q=600;w=60',
  },
  RateLimit: {
    description: '`r` requests remain. The quota is reset in `t` seconds.',
    schema: { type: 'string' },
    example: '"requests";r=599;t=42',
  },
  Deprecation: {
    description: 'Since when this operation is deprecated, as a Unix time (RFC 9745).',
    schema: { type: 'string' },
    example: '@1795132800',
  },
  Sunset: {
    description: 'When this operation will be removed (RFC 8594).',
    schema: { type: 'string' },
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
} as const satisfies HeadersObject;

/** Every response to a valid key with the scope of the operation has them if RATE_LIMIT_PER_MINUTE is set. */
export const rateLimitHeaderNames = ['RateLimit-Policy', 'RateLimit'] as const;

/** References to the headers of a response. A suffix after a dot distinguishes uses of one header. */
export function headerRefs(names: readonly string[]): HeadersObject {
  return Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name.replace(/\..*/, ''), { $ref: `#/components/headers/${name}` }]),
  );
}
