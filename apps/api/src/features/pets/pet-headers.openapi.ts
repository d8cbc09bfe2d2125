import type { HeadersObject } from '../../platform/http/docs/api-headers.js';

/** The headers that only responses about pets have. */
export const petHeaders = {
  Link: {
    description: 'Links to the first page and, except on the last page, to the next one (RFC 8288).',
    schema: { type: 'string' },
    example: '</v1/pets?limit=2&after=AAAAAAAAAAACCAd1gg>; rel="next", </v1/pets?limit=2>; rel="first"',
  },
  'Link.successor': {
    description: 'The replacement of this operation (RFC 5829).',
    schema: { type: 'string' },
    example: '</v1/pets>; rel="successor-version"',
  },
  'X-Total-Count': {
    description: 'Number of animals on all pages. Only with `Prefer: count=exact`.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1234,
  },
  'Preference-Applied': {
    description: 'The preference that was applied (RFC 7240).',
    schema: { type: 'string', enum: ['count=exact'] },
    example: 'count=exact',
  },
  Location: {
    description: 'Path of the animal on this host.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/pets/1',
  },
  'Idempotency-Replayed': {
    description: 'The animal was created by an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
} as const satisfies HeadersObject;
