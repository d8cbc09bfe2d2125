import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import {
  getPetRemovalDate,
  idempotencyKeyPattern,
  idempotencyRetentionHours,
  listLimits,
  maxTotals,
} from '@petstore/contracts';
import {
  deprecationHeaderNames,
  errorResponse,
  headerRefs,
  type HeadersObject,
  rateLimitHeaderNames,
  type ResponsesObject,
  text,
} from '../../platform/http/docs/api-responses.js';
import type { ApiDocs } from '../../platform/http/docs/openapi-document.js';
import { NewPetDto, PetDto } from './pet.dto.js';

/** The headers that only responses about pets have. */
const petHeaders = {
  Link: text(
    'Links to the first page and, except on the last page, to the next one (RFC 8288). They are relative to the address of the request.',
    '</v1/pets?limit=2&after=AAAAAAAAAAO3eYrN>; rel="next", </v1/pets?limit=2>; rel="first"',
  ),
  'Vary.list': text('The response depends on the API key and on `Prefer`.', 'Authorization, Prefer'),
  'X-Total-Count': {
    description: `Number of animals on all pages. Only with \`Prefer: count=exact\`. Only up to ${maxTotals.list}, with \`q\` up to ${maxTotals.search}.`,
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
} satisfies HeadersObject;

/** An `invalid_query` of an operation without query parameters. */
const noParameters = { invalid_query: '`dryRun` is unknown. No parameter is allowed.' };

/** The error responses that only operations on pets have. */
const petErrors = {
  InvalidList: errorResponse(['invalid_query', 'invalid_cursor', 'bad_request']),
  InvalidCreate: errorResponse(
    ['invalid_query', 'invalid_json', 'invalid_body', 'invalid_idempotency_key', 'bad_request'],
    [],
    noParameters,
  ),
  IdempotencyKeyInUse: errorResponse(['idempotency_key_in_use']),
  IdempotencyKeyReused: errorResponse(['idempotency_key_reused']),
  InvalidGet: errorResponse(['invalid_query', 'bad_request'], deprecationHeaderNames, noParameters),
  PetNotFound: errorResponse(['pet_not_found'], deprecationHeaderNames),
  Gone: errorResponse(['gone'], deprecationHeaderNames),
} satisfies ResponsesObject;

export const petsDocs: ApiDocs = {
  description: 'Manages the animals of a store: list them, add one, get one.',
  tag: { name: 'animals', description: 'The animals of the store.' },
  errors: {
    listPets: { 400: 'InvalidList' },
    createPet: {
      400: 'InvalidCreate',
      409: 'IdempotencyKeyInUse',
      413: 'PayloadTooLarge',
      415: 'UnsupportedMediaType',
      422: 'IdempotencyKeyReused',
    },
    getPet: { 400: 'InvalidGet', 404: 'PetNotFound', 410: 'Gone' },
  },
  components: {
    headers: petHeaders,
    responses: petErrors,
    schemas: {
      NewPet: { additionalProperties: false },
      Pets: {
        type: 'array',
        description: 'One page of animals.',
        maxItems: listLimits.max,
        items: { $ref: '#/components/schemas/Pet' },
      },
    },
  },
};

const rex = { id: 1, name: 'Rex', categoryId: 7, status: 'available' };
const cached = ['ETag', 'Cache-Control', ...rateLimitHeaderNames];

/** What a GET with an ETag has. */
function Conditional(headers: readonly string[]): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      description: 'The ETag of a cached response. If it is still valid, the status is 304.',
      required: false,
      schema: { type: 'string' },
    }),
    ApiResponse({ status: 304, description: 'The cached response is still valid.', headers: headerRefs(headers) }),
  );
}

export function ApiListPets(): MethodDecorator {
  const headers = [...cached, 'Link', 'Vary.list', 'X-Total-Count', 'Preference-Applied'];
  return applyDecorators(
    ApiOperation({
      operationId: 'listPets',
      summary: 'List all animals',
      description:
        'Returns one page of animals, ordered by id. To get the next page, follow the `Link` header with `rel="next"`. The last page has none. If you follow the links to it, you get each animal that existed when you began, exactly once. The API key needs the scope `read`.\n\nA `Link` is relative to the address of the request. After `https://store.example/v1/pets?limit=2`, the link `</v1/pets?limit=2&after=AAAAAAAAAAO3eYrN>; rel="next"` leads to `https://store.example/v1/pets?limit=2&after=AAAAAAAAAAO3eYrN`.',
    }),
    ApiHeader({
      name: 'Prefer',
      description: `\`count=exact\` adds the number of matching animals to the response (RFC 7240). It is ignored if more than ${maxTotals.list} animals match, with \`q\` more than ${maxTotals.search}. Other preferences are always ignored.`,
      required: false,
      // No enum: the service ignores other preferences.
      schema: { type: 'string' },
      example: 'count=exact',
    }),
    Conditional(headers),
    ApiResponse({
      status: 200,
      description: 'A paginated list of animals',
      headers: headerRefs(headers),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' }, example: [rex] } },
    }),
  );
}

export function ApiCreatePet(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'createPet',
      summary: 'Add an animal',
      description: `Adds one animal. If the response is lost, you do not know whether the animal was added. Choose an \`Idempotency-Key\` for the animal before the first request, such as a UUID. For ${idempotencyRetentionHours} hours, you can then repeat the request with the same API key and \`Idempotency-Key\`: it returns the animal of the first one, and adds no second animal. A rejected request leaves the \`Idempotency-Key\` unused. The API key needs the scope \`write\`.`,
    }),
    ApiHeader({
      name: 'Idempotency-Key',
      description: `Your own unique text for this animal. The service remembers it for ${idempotencyRetentionHours} hours, only for the API key that sent it.`,
      required: false,
      schema: { type: 'string', pattern: idempotencyKeyPattern.source },
    }),
    ApiBody({
      type: NewPetDto,
      required: true,
      // Specmatic and other test tools pair a request and a response whose examples have one name.
      examples: { rex: { value: { name: 'Rex', categoryId: 7, status: 'available' } } },
    }),
    ApiResponse({
      status: 201,
      description: 'Animal added; body carries the assigned `id`',
      headers: headerRefs(['Location', 'Idempotency-Replayed', ...rateLimitHeaderNames]),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Pet' }, examples: { rex: { value: rex } } },
      },
      links: {
        listThisPet: {
          operationId: 'listPets',
          parameters: { id: '$response.body#/id' },
          description: 'Gets this animal, in a list of one.',
        },
      },
    }),
  );
}

export function ApiGetPet(): MethodDecorator {
  const headers = [...cached, 'Vary', ...deprecationHeaderNames];
  return applyDecorators(
    ApiOperation({
      operationId: 'getPet',
      summary: 'Get an animal',
      description: `Deprecated. It will be removed on ${getPetRemovalDate}. Use \`GET /pets?id={petId}\` instead. The API key needs the scope \`read\`.`,
      deprecated: true,
    }),
    ApiParam({
      name: 'petId',
      description: 'The identifier of the animal.',
      schema: { type: 'integer', format: 'int64', minimum: 1, example: 1 },
    }),
    Conditional(headers),
    ApiResponse({
      status: 200,
      description: 'The requested animal',
      headers: headerRefs(headers),
      type: PetDto,
      example: rex,
    }),
  );
}
