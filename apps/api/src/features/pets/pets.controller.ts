import { Body, Controller, Get, Headers, Post, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock/clock.js';
import { RequireScope } from '../../platform/http/access.js';
import { isGone } from '../../platform/http/deprecation.js';
import { sendJson } from '../../platform/http/send-json.js';
import { ListPetsQueryDto, NewPetDto } from './pet.dto.js';
import { OperationGone } from './pet.errors.js';
import { getPetDeprecation, idempotencyOf, pageLinks, petIdOf, petLocation, prefersCount } from './pets.http.js';
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
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const listed = this.pets.list(query);
    if (prefersCount(prefer)) {
      const [total] = await Promise.all([this.pets.count(query), listed]);
      reply.headers({ 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' });
    }
    const { json, next } = await listed;
    if (query.id === undefined) void reply.header('link', pageLinks(query, next));
    sendJson(reply, json);
  }

  @Post()
  @RequireScope('write')
  @ApiCreatePet()
  async create(@Body() newPet: NewPetDto, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id, json, replayed } = await this.pets.create(newPet, idempotencyOf(request));
    void reply.header('location', petLocation(id, this.clock));
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    sendJson(reply, json);
  }

  @Get(':petId')
  @RequireScope('read')
  @RouteConfig({ conditional: true, deprecation: getPetDeprecation })
  @ApiGetPet()
  async get(@Req() { params }: PetRequest, @Res() reply: FastifyReply): Promise<void> {
    if (isGone(getPetDeprecation, this.clock)) throw new OperationGone();
    sendJson(reply, await this.pets.get(petIdOf(params.petId)));
  }
}
