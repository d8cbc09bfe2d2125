import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { idempotencyRetentionHours, listLimits } from '@petstore/contracts';
import { ApiErrors } from '../../platform/http/docs/api-errors.js';
import { headerRefs, rateLimitHeaders } from '../../platform/http/docs/api-headers.js';
import type { FeatureDocs } from '../../platform/http/docs/openapi-document.js';
import { NewPetDto, PetDto } from './pet.dto.js';
import { petHeaders } from './pet-headers.openapi.js';
import { petsIntroduction } from './pets-introduction.openapi.js';

export const petsDocs: FeatureDocs = {
  description: 'Manages the animals of a store: list them, add one, get one.',
  introduction: petsIntroduction,
  tag: { name: 'animals', description: 'The animals of the store.' },
  headers: petHeaders,
  schemas: {
    NewPet: { additionalProperties: false },
    Pets: {
      type: 'array',
      description: 'One page of animals.',
      maxItems: listLimits.max,
      items: { $ref: '#/components/schemas/Pet' },
    },
  },
};

const json = (name: string, example: unknown) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example },
});
const rex = { id: 1, name: 'Rex', categoryId: 7, status: 'available' };
const conditional = ['ETag', 'Cache-Control', 'Vary', ...rateLimitHeaders] as const;

const ifNoneMatch = ApiHeader({
  name: 'If-None-Match',
  description: 'The ETag of a cached response. If it is still valid, the status is 304.',
  required: false,
  schema: { type: 'string' },
});
const requestId = ApiHeader({
  name: 'X-Request-Id',
  description:
    'An id for this request, for the log and the response: 1 to 128 letters, digits, `.`, `_` or `-`. The service replaces any other id.',
  required: false,
  schema: { type: 'string' },
});

export function ApiListPets(): MethodDecorator {
  const headers = ['Link', ...conditional, 'X-Total-Count', 'Preference-Applied'] as const;
  return applyDecorators(
    ApiOperation({
      operationId: 'listPets',
      summary: 'List all animals',
      description:
        'Returns one page of animals, ordered by id. Follow the `Link` with `rel="next"` to get the next page. All pages together contain every animal that existed at the start exactly once.',
    }),
    ApiHeader({
      name: 'Prefer',
      description: '`count=exact` adds the number of matching animals to the response (RFC 7240).',
      required: false,
      schema: { type: 'string' },
      example: 'count=exact',
    }),
    ifNoneMatch,
    requestId,
    ApiResponse({
      status: 200,
      description: 'A paginated list of animals',
      headers: headerRefs(headers),
      content: json('Pets', [rex]),
    }),
    ApiResponse({ status: 304, description: 'The cached response is still valid.', headers: headerRefs(headers) }),
    ApiErrors(['invalid_query', 'invalid_cursor']),
  );
}

export function ApiCreatePet(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'createPet',
      summary: 'Add an animal',
      description:
        'Adds one animal. With an `Idempotency-Key`, you can safely retry the request: it never adds a second animal.',
    }),
    ApiHeader({
      name: 'Idempotency-Key',
      description: `A unique text for each animal, kept for ${idempotencyRetentionHours} hours per API key.`,
      required: false,
      schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    }),
    requestId,
    ApiBody({
      type: NewPetDto,
      required: true,
      examples: { rex: { value: { name: 'Rex', categoryId: 7, status: 'available' } } },
    }),
    ApiResponse({
      status: 201,
      description: 'Animal added; body carries the assigned `id`',
      headers: headerRefs(['Location', 'Idempotency-Replayed', ...rateLimitHeaders]),
      content: json('Pet', rex),
    }),
    ApiErrors(
      [
        'invalid_json',
        'invalid_body',
        'invalid_idempotency_key',
        'idempotency_key_in_use',
        'payload_too_large',
        'unsupported_media_type',
        'idempotency_key_reused',
      ],
      { examples: { insufficient_scope: 'This API key does not have the scope `write`.' } },
    ),
  );
}

export function ApiGetPet(): MethodDecorator {
  const deprecation = ['Deprecation', 'Sunset', 'Link.successor'] as const;
  return applyDecorators(
    ApiOperation({
      operationId: 'getPet',
      summary: 'Get an animal',
      description: 'Deprecated. It will be removed on 5 December 2030. Use `GET /pets?id={petId}` instead.',
      deprecated: true,
    }),
    ApiParam({
      name: 'petId',
      description: 'The identifier of the animal.',
      schema: { type: 'integer', format: 'int64', minimum: 1, example: 1 },
    }),
    ifNoneMatch,
    requestId,
    ApiResponse({
      status: 200,
      description: 'The requested animal',
      headers: headerRefs([...conditional, ...deprecation]),
      type: PetDto,
      example: rex,
    }),
    ApiResponse({
      status: 304,
      description: 'The cached response is still valid.',
      headers: headerRefs([...conditional, ...deprecation]),
    }),
    ApiErrors(['pet_not_found', 'gone'], { headers: deprecation }),
  );
}
