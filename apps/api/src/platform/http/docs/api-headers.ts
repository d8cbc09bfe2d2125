import type { OpenAPIObject } from '@nestjs/swagger';

type HeadersObject = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

/** Every header of an answer that the contract names. What stands behind a dot tells uses of one header apart. */
export const apiHeaders = {
  'X-Request-Id': {
    description: 'The id of this request in the log: the one the client sent, or a new one.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: '3f6d0c1e-8a53-4a8e-9f0e-1c2b3a4d5e6f',
  },
  ETag: {
    description: 'Tag of this answer, for If-None-Match (RFC 9110).',
    schema: { type: 'string' },
    example: '"5af22e805c297e81"',
  },
  'Cache-Control': {
    description: 'Answers may be kept by their client alone, and only used again after asking.',
    schema: { type: 'string' },
    example: 'private, no-cache',
  },
  Vary: { description: 'Answers differ by key.', schema: { type: 'string' }, example: 'Authorization' },
  Link: {
    description: 'Links to the next page, when there is one, and to the first (RFC 8288).',
    schema: { type: 'string' },
    example: '</v1/pets?limit=2&after=AAAAAAAAAAACCAd1gg>; rel="next", </v1/pets?limit=2>; rel="first"',
  },
  'Link.successor': {
    description: 'What takes the place of this operation (RFC 5829).',
    schema: { type: 'string' },
    example: '</v1/pets>; rel="successor-version"',
  },
  'X-Total-Count': {
    description: 'How many animals match, on all pages together. Only when it was preferred.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1234,
  },
  'Preference-Applied': {
    description: 'The preference that was followed (RFC 7240).',
    schema: { type: 'string', enum: ['count=exact'] },
    example: 'count=exact',
  },
  Location: {
    description: 'Where the animal is found, relative to this host.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/pets/1',
  },
  'Idempotency-Replayed': {
    description: 'The animal was added by an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer realm="petstore"',
  },
  'Retry-After': {
    description: 'Seconds after which to try again (RFC 9110).',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'RateLimit-Policy': {
    description: 'A limit: requests (q) in a window of seconds (w), where this service has one.',
    schema: { type: 'string' },
    example: '"requests";q=600;w=60',
  },
  RateLimit: {
    description: 'What is left of it (r), and after how many seconds it is whole again (t).',
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

export type ApiHeader = keyof typeof apiHeaders;

/** On every answer to a good key, where RATE_LIMIT_PER_MINUTE is set. */
export const rateLimitHeaders = ['RateLimit-Policy', 'RateLimit'] as const;

/** References to the headers of an answer; `X-Request-Id` is on every one. */
export function headerRefs(names: readonly ApiHeader[]): HeadersObject {
  return Object.fromEntries(
    (['X-Request-Id', ...names] as const).map((name) => [
      name.replace(/\..*/, ''),
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}
