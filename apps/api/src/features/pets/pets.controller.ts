import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  Param,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { idempotencyKeyPattern, type ListPetsQuery, listQueryText, parseInt64 } from '@petstore/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { addVary } from '../../platform/http/conditional-requests.js';
import { type Deprecation, isGone, Operation, principalOf } from '../../platform/http/operation.js';
import { ListPetsQueryDto } from './list-pets.dto.js';
import { NewPetDto, NoQueryDto } from './pet.dto.js';
import { ApiCreatePet, ApiGetPet, ApiListPets } from './pets.openapi.js';
import type { Idempotency } from './pets.repository.js';
import { PetsService } from './pets.service.js';

/** The API key of a request. */
const ApiKeyId = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    principalOf(context.switchToHttp().getRequest<FastifyRequest>()).apiKeyId,
);

/**
 * The `Idempotency-Key` of a request.
 * @throws DomainError invalid_idempotency_key
 */
const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): Idempotency | undefined => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKeyPattern.test(key)) throw new DomainError('invalid_idempotency_key');
  return { apiKeyId: principalOf(request).apiKeyId, key };
});

/** getPet will be removed on 5 December 2030 (specification, section 4.3). */
const getPetDeprecation: Deprecation = {
  since: new Date('2026-11-20T00:00:00Z'),
  removal: new Date('2030-12-05T00:00:00Z'),
  successor: '/v1/pets',
};

/** Translates between HTTP and the service. The results are JSON, written by PostgreSQL. */
@ApiTags('animals')
@Controller('v1/pets')
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation({ id: 'listPets', scope: 'read', conditional: true })
  @Header('content-type', 'application/json')
  @ApiListPets()
  async list(
    @Query() query: ListPetsQueryDto,
    @ApiKeyId() apiKeyId: number,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    addVary(reply, 'Prefer');
    const listed = this.pets.list(query, apiKeyId);
    if (prefersCount(prefer)) {
      const [total] = await Promise.all([this.pets.count(query, apiKeyId), listed]);
      if (total !== undefined) reply.headers({ 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' });
    }
    const { json, next } = await listed;
    void reply.header('link', pageLinks(query, next));
    return json;
  }

  @Post()
  @Operation({ id: 'createPet', scope: 'write' })
  @Header('content-type', 'application/json')
  @ApiCreatePet()
  async create(
    @Query() _query: NoQueryDto,
    @Body() newPet: NewPetDto,
    @IdempotencyKey() idempotency: Idempotency | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { id, json, replayed } = await this.pets.create(newPet, idempotency);
    reply.request.logged = { petId: String(id) };
    void reply.header('location', petLocation(id, this.clock));
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return json;
  }

  @Get(':petId')
  @Operation({ id: 'getPet', scope: 'read', conditional: true, deprecation: getPetDeprecation })
  @Header('content-type', 'application/json')
  @ApiGetPet()
  async get(@Query() _query: NoQueryDto, @Param('petId') petId: string): Promise<string> {
    if (isGone(getPetDeprecation, this.clock)) throw new DomainError('gone');
    return this.pets.get(petIdOf(petId));
  }
}

/** The path of an animal: getPet until its removal, then the list with the filter `id`. */
function petLocation(id: bigint, clock: Clock): string {
  return isGone(getPetDeprecation, clock) ? `/v1/pets?id=${id}` : `/v1/pets/${id}`;
}

/** @throws DomainError pet_not_found for anything but a positive int64 in plain decimal digits. */
function petIdOf(text: string): bigint {
  const id = parseInt64(text);
  if (id === undefined || id < 1n) throw new DomainError('pet_not_found');
  return id;
}

/** Builds links to the first and the next page (RFC 8288). They are relative, to work behind every proxy. */
function pageLinks({ after: _after, ...query }: ListPetsQuery, next: string | undefined): string {
  const text = listQueryText(query);
  const first = `</v1/pets${text && `?${text}`}>; rel="first"`;
  // The characters of a cursor need no encoding.
  return next === undefined ? first : `</v1/pets?${text && `${text}&`}after=${next}>; rel="next", ${first}`;
}

/** Returns whether one of the preferences is `count=exact` (RFC 7240). */
function prefersCount(prefer = ''): boolean {
  return /(^|,)\s*count\s*=\s*("exact"|exact)\s*([;,]|$)/i.test(prefer);
}
