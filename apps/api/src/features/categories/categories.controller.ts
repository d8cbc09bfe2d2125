import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Category } from '@petstore/contracts';
import { RequireScope } from '../../platform/http/security/access.js';
import { CategoriesService } from './categories.service.js';

/** Not part of the API under `/v1`: the specification has no operation on categories. */
@ApiExcludeController()
@Controller()
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get('categories.json')
  @RequireScope('read', { conditional: true })
  list(): readonly Category[] {
    return this.categories.list();
  }
}
