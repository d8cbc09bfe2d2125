import { Body, Controller, Get, Header, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  getPetRemovalDate,
  idempotencyKeyPattern,
  type ListPetsQuery,
  listQueryText,
  parseInt64,
} from '@petstore/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { addVary } from '../../platform/http/conditional-requests.js';
import { type Deprecation, Operation, principalOf } from '../../platform/http/operation.js';
import { ListPetsQueryDto } from './list-pets.dto.js';
import { NewPetDto, NoQueryDto } from './pet.dto.js';
import { ApiCreatePet, ApiGetPet, ApiListPets } from './pets.openapi.js';
import { type CreateResult, type ListOptions, type PetPage, PetsService } from './pets.service.js';

const getPetDeprecation: Deprecation = {
  since: new Date('2026-11-20T00:00:00Z'),
  removal: new Date(`${getPetRemovalDate} UTC`),
  successor: '/v1/pets',
};

function isGetPetGone(clock: Clock): boolean {
  return clock.now() >= getPetDeprecation.removal;
}

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
  async list(@Query() query: ListPetsQueryDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return sendPage(reply, query, await this.pets.list(query, listOptionsOf(reply.request)));
  }

  @Post()
  @Operation({ id: 'createPet', scope: 'write' })
  @Header('content-type', 'application/json')
  @ApiCreatePet()
  async create(
    @Query() _query: NoQueryDto,
    @Body() newPet: NewPetDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return sendCreated(reply, await this.pets.create(newPet, idempotencyOf(reply.request)), this.clock);
  }

  @Get(':petId')
  @Operation({ id: 'getPet', scope: 'read', conditional: true, deprecation: getPetDeprecation })
  @Header('content-type', 'application/json')
  @ApiGetPet()
  async get(@Query() _query: NoQueryDto, @Param('petId') petId: string): Promise<string> {
    return this.pets.get(petIdOf(petId, this.clock));
  }
}

function listOptionsOf(request: FastifyRequest): ListOptions {
  return { apiKeyId: principalOf(request).apiKeyId, count: prefersCount(request.headers['prefer']) };
}

/** @throws DomainError invalid_idempotency_key */
function idempotencyOf(request: FastifyRequest): { apiKeyId: number; key: string } | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKeyPattern.test(key)) throw new DomainError('invalid_idempotency_key');
  return { apiKeyId: principalOf(request).apiKeyId, key };
}

function sendPage(reply: FastifyReply, query: ListPetsQuery, { json, next, total }: PetPage): string {
  addVary(reply, 'Prefer');
  if (total !== undefined) reply.headers({ 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' });
  void reply.header('link', pageLinks(query, next));
  return json;
}

/** `Location` is the path of getPet until its removal, then of the list with the filter `id`. */
function sendCreated(reply: FastifyReply, { id, json, replayed }: CreateResult, clock: Clock): string {
  reply.request.logged = { petId: String(id) };
  void reply.header('location', isGetPetGone(clock) ? `/v1/pets?id=${id}` : `/v1/pets/${id}`);
  if (replayed) void reply.header('Idempotency-Replayed', 'true');
  return json;
}

/** @throws DomainError gone from the removal of getPet on, pet_not_found for all but positive int64 in plain decimal digits. */
function petIdOf(text: string, clock: Clock): bigint {
  if (isGetPetGone(clock)) throw new DomainError('gone');
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
function prefersCount(prefer: string | string[] = ''): boolean {
  return /(^|,)\s*count\s*=\s*("exact"|exact)\s*([;,]|$)/i.test(String(prefer));
}
