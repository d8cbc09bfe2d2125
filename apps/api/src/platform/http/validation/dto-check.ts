import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { propertiesOf } from './dto-class.js';

/** Stops the start if a DTO of a controller has rules that DtoPipe does not support. */
@Injectable()
export class DtoCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      const { prototype } = metatype as { prototype: object };
      for (const method of this.scanner.getAllMethodNames(prototype)) {
        const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as Type[];
        types.forEach(propertiesOf);
      }
    }
  }
}
