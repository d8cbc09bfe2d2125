import type { Type } from '@nestjs/common';
import { PetsModule } from '../../src/features/pets/pets.module.js';

/** Starts an app with an additional controller. Nest reads the metadata once, when an app starts. */
export async function withController<App>(controller: Type, start: () => Promise<App>): Promise<App> {
  const controllers = Reflect.getMetadata('controllers', PetsModule) as Type[];
  Reflect.defineMetadata('controllers', [...controllers, controller], PetsModule);
  try {
    return await start();
  } finally {
    Reflect.defineMetadata('controllers', controllers, PetsModule);
  }
}
