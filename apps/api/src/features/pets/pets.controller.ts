import { Body, Controller, Get, Headers, Post, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock/clock.js';
import { RequireScope } from '../../platform/http/access.js';
import { asJson } from '../../platform/http/as-json.js';
import { isGone } from '../../platform/http/deprecation.js';
import { ListPetsQueryDto, NewPetDto } from './pet.dto.js';
import { OperationGone } from './pet.errors.js';
import {
  getPetDeprecation,
  idempotencyOf,
  pageLinks,
  petIdOf,
  petJson,
  petLocation,
  prefersCount,
} from './pets.http.js';
import { ApiCreatePet, ApiGetPet, ApiListPets } from './pets.openapi.js';
import { PetsService } from './pets.service.js';

/** Read from the request: `@Param` takes it through the pipes, which have nothing to judge about it. */
type PetRequest = FastifyRequest<{ Params: { petId: string } }>;

/** Translates between HTTP and the service: parameters in, headers out. */
@ApiTags('animals')
@Controller('v1/pets')
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @RequireScope('read')
  @RouteConfig({ conditional: true })
  @ApiListPets()
  async list(
    @Query() query: ListPetsQueryDto,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const counted = prefersCount(prefer);
    const [{ json, next }, total] = await Promise.all([
      this.pets.list(query),
      counted ? this.pets.count(query) : undefined,
    ]);
    if (total !== undefined) reply.headers({ 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' });
    if (query.id === undefined) void reply.header('link', pageLinks(query, next));
    asJson(reply);
    return json;
  }

  @Post()
  @RequireScope('write')
  @ApiCreatePet()
  async create(
    @Body() newPet: NewPetDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { pet, replayed } = await this.pets.create(newPet, idempotencyOf(request));
    asJson(reply).header('location', petLocation(pet.id, this.clock));
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return petJson(pet);
  }

  @Get(':petId')
  @RequireScope('read')
  @RouteConfig({ conditional: true, deprecation: getPetDeprecation })
  @ApiGetPet()
  async get(@Req() { params }: PetRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    if (isGone(getPetDeprecation, this.clock)) throw new OperationGone();
    const json = await this.pets.get(petIdOf(params.petId));
    asJson(reply);
    return json;
  }
}
