import { Body, Controller, Get, Header, Headers, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { isGone } from '../../platform/http/routing/deprecation.js';
import { RequireScope } from '../../platform/http/security/access.js';
import { ListPetsQueryDto, NewPetDto } from './pet.dto.js';
import { OperationGone } from './pet.errors.js';
import { getPetDeprecation, idempotencyOf, pageLinks, petIdOf, petLocation, prefersCount } from './pets.http.js';
import { ApiCreatePet, ApiGetPet, ApiListPets } from './pets.openapi.js';
import { PetsService } from './pets.service.js';

/** Translates between HTTP and the service. The results are JSON, written by PostgreSQL. */
@ApiTags('animals')
@Controller('v1/pets')
export class PetsController {
  constructor(
    private readonly pets: PetsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @RequireScope('read', { operation: 'listPets', conditional: true })
  @Header('content-type', 'application/json')
  @ApiListPets()
  async list(
    @Query() query: ListPetsQueryDto,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const listed = this.pets.list(query);
    if (prefersCount(prefer)) {
      const [total] = await Promise.all([this.pets.count(query), listed]);
      reply.headers({ 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' });
    }
    const { json, next } = await listed;
    if (query.id === undefined) void reply.header('link', pageLinks(query, next));
    return json;
  }

  @Post()
  @RequireScope('write', { operation: 'createPet' })
  @Header('content-type', 'application/json')
  @ApiCreatePet()
  async create(
    @Body() newPet: NewPetDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { id, json, replayed } = await this.pets.create(newPet, idempotencyOf(request));
    void reply.header('location', petLocation(id, this.clock));
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return json;
  }

  @Get(':petId')
  @RequireScope('read', { operation: 'getPet', conditional: true, deprecation: getPetDeprecation })
  @Header('content-type', 'application/json')
  @ApiGetPet()
  async get(@Param('petId') petId: string): Promise<string> {
    if (isGone(getPetDeprecation, this.clock)) throw new OperationGone();
    return this.pets.get(petIdOf(petId));
  }
}
