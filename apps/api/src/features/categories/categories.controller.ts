import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Category } from '@petstore/contracts';
import { Operation } from '../../platform/http/operation.js';
import { CategoriesService } from './categories.service.js';

/** Not part of the API under `/v1`: the specification has no operation on categories. */
@ApiExcludeController()
@Controller()
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Get('categories.json')
  @Operation({ id: 'listCategories', scope: 'read', conditional: true })
  list(): Promise<Category[]> {
    return this.categories.list();
  }
}
