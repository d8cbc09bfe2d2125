import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from './features/api-keys/api-keys.module.js';
import { CategoriesModule } from './features/categories/categories.module.js';
import { petsDocs } from './features/pets/pets.openapi.js';
import { PetsModule } from './features/pets/pets.module.js';
import type { Connections } from './platform/http/connections.js';
import { HttpModule } from './platform/http/http.module.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';

/** What the features add to the OpenAPI document. */
export const featureDocs = [petsDocs];

interface AppModuleOptions extends PlatformOptions {
  connections: Connections;
}

/** The list of features. */
@Module({ imports: [ApiKeysModule, CategoriesModule, PetsModule] })
export class AppModule {
  static register({ connections, ...options }: AppModuleOptions): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.register(options), HttpModule.register(connections)] };
  }
}
