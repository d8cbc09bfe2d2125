import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ApiKeysModule } from './features/api-keys/api-keys.module.js';
import { CategoriesModule } from './features/categories/categories.module.js';
import { petsDocs } from './features/pets/pets.openapi.js';
import { PetsModule } from './features/pets/pets.module.js';
import { DatabasePool } from './platform/database/pool.js';
import { Connections } from './platform/http/connections.js';
import { DtoPipe } from './platform/http/dto.pipe.js';
import { ClientErrors, ErrorFilter } from './platform/http/errors.js';
import { HealthController, ReadinessCheck } from './platform/http/health.controller.js';
import { HTTP_LIMITS, type HttpLimits } from './platform/http/limits.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';

/** What the features add to the OpenAPI document. */
export const featureDocs = [petsDocs];

/** The features, and what responds to requests. */
@Module({ imports: [ApiKeysModule, CategoriesModule, PetsModule] })
export class AppModule {
  static register(options: PlatformOptions, limits: HttpLimits): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.register(options)],
      controllers: [HealthController],
      providers: [
        { provide: HTTP_LIMITS, useValue: limits },
        { provide: ReadinessCheck, useExisting: DatabasePool },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: DtoPipe },
        Connections,
        ClientErrors,
      ],
    };
  }
}
