import type { NestInterceptor, Type } from '@nestjs/common';
import { PetsController } from '../../src/features/pets/pets.controller.js';
import { PetsModule } from '../../src/features/pets/pets.module.js';

type Start<App> = () => Promise<App>;

/** Starts an app with an additional controller. */
export function withController<App>(controller: Type, start: Start<App>): Promise<App> {
  const controllers = Reflect.getMetadata('controllers', PetsModule) as Type[];
  return withMetadata({ target: PetsModule, key: 'controllers', value: [...controllers, controller] }, start);
}

/** Starts an app with an interceptor on the pet routes. */
export function withInterceptor<App>(interceptor: NestInterceptor, start: Start<App>): Promise<App> {
  return withMetadata({ target: PetsController, key: '__interceptors__', value: [interceptor] }, start);
}

/** Nest reads decorator metadata once, when an app starts. */
async function withMetadata<App>(
  { target, key, value }: { target: object; key: string; value: unknown },
  start: Start<App>,
): Promise<App> {
  const before: unknown = Reflect.getMetadata(key, target);
  Reflect.defineMetadata(key, value, target);
  try {
    return await start();
  } finally {
    if (before === undefined) Reflect.deleteMetadata(key, target);
    else Reflect.defineMetadata(key, before, target);
  }
}
