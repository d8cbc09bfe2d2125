import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from './features/api-keys/api-keys.module.js';
import { CategoriesModule } from './features/categories/categories.module.js';
import { petsDocs } from './features/pets/pets.openapi.js';
import { PetsModule } from './features/pets/pets.module.js';
import type { HttpLimits } from './platform/http/limits.js';
import { ServerModule } from './platform/http/server.module.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';

/** What the features add to the OpenAPI document. */
export const featureDocs = [petsDocs];

/** The list of features. */
@Module({ imports: [ApiKeysModule, CategoriesModule, PetsModule] })
export class AppModule {
  static register(options: PlatformOptions, limits: HttpLimits): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.register(options), ServerModule.register(limits)] };
  }
}
