import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ApiKeysModule } from './features/api-keys/api-keys.module.js';
import { CategoriesModule } from './features/categories/categories.module.js';
import { PetsModule } from './features/pets/pets.module.js';
import { DtoPipe } from './platform/http/dto.pipe.js';
import { ErrorFilter } from './platform/http/errors.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';

/** The features, and what responds to requests. */
@Module({ imports: [ApiKeysModule, CategoriesModule, PetsModule] })
export class AppModule {
  static register(options: PlatformOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.register(options)],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
    };
  }
}
