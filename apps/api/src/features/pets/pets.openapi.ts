import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { idempotencyRetentionHours } from '@petstore/contracts';
import { ApiErrors } from '../../platform/http/docs/api-errors.js';
import { headerRefs, rateLimitHeaders } from '../../platform/http/docs/api-headers.js';
import { NewPetDto, PetDto } from './pet.dto.js';

const json = (name: string, example: unknown) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example },
});
const rex = { id: 1, name: 'Rex', categoryId: 7, status: 'available' };
const conditional = ['ETag', 'Cache-Control', 'Vary', ...rateLimitHeaders] as const;

const ifNoneMatch = ApiHeader({
  name: 'If-None-Match',
  description: 'The ETag of an answer that the client has; 304 when it still holds.',
  required: false,
  schema: { type: 'string' },
});
const requestId = ApiHeader({
  name: 'X-Request-Id',
  description: 'An id of the client for this request; it comes back, and stands in the log.',
  required: false,
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
});

export function ApiListPets(): MethodDecorator {
  const headers = ['Link', ...conditional, 'X-Total-Count', 'Preference-Applied'] as const;
  return applyDecorators(
    ApiOperation({
      operationId: 'listPets',
      summary: 'List all animals',
      description:
        'One page of the animals, by id. Follow the `Link` with `rel="next"` for the next one; a walk gives every animal that was there when it began, once.',
    }),
    ApiHeader({
      name: 'Prefer',
      description: '`count=exact` asks for the number of all animals that match (RFC 7240).',
      required: false,
      schema: { type: 'string' },
    }),
    ifNoneMatch,
    requestId,
    ApiResponse({
      status: 200,
      description: 'A paginated list of animals',
      headers: headerRefs(headers),
      content: json('Pets', [rex]),
    }),
    ApiResponse({ status: 304, description: 'The client has this answer already.', headers: headerRefs(headers) }),
    ApiErrors(['invalid_query', 'invalid_cursor']),
  );
}

export function ApiCreatePet(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'createPet',
      summary: 'Add an animal',
      description:
        'Adds one animal. With an `Idempotency-Key` the same request can be sent again after a lost answer, and adds no second one.',
    }),
    ApiHeader({
      name: 'Idempotency-Key',
      description: `A text of the client's own, new for each animal; remembered for ${idempotencyRetentionHours} hours, for each API key by itself.`,
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
    ApiErrors([
      'invalid_json',
      'invalid_body',
      'invalid_idempotency_key',
      'idempotency_key_in_use',
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_key_reused',
    ]),
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
      description: 'The client has this answer already.',
      headers: headerRefs([...conditional, ...deprecation]),
    }),
    ApiErrors(['pet_not_found', 'gone'], deprecation),
  );
}
