import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from './features/api-keys/api-keys.module.js';
import { PetsModule } from './features/pets/pets.module.js';
import { PlatformModule, type PlatformOptions } from './platform/platform.module.js';

/** The list of features. */
@Module({ imports: [ApiKeysModule, PetsModule] })
export class AppModule {
  static register(options: PlatformOptions): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.register(options)] };
  }
}
