import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { KeyInfo } from '@petstore/contracts';
import type { FastifyRequest } from 'fastify';
import { Operation, principalOf } from '../../platform/http/operation.js';

/** Not part of the API under `/v1`: the admin and the commands show the key that they use. */
@ApiExcludeController()
@Controller()
export class ApiKeysController {
  @Get('key.json')
  @Operation({ id: 'getKey', scope: 'any', conditional: true })
  get(@Req() request: FastifyRequest): KeyInfo {
    const { apiKeyId: id, name, scopes, expiresAt } = principalOf(request);
    return { id, name, scopes, expiresAt: expiresAt?.toISOString() ?? null };
  }
}
