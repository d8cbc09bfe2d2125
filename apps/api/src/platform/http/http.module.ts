import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { DatabasePool } from '../database/pool.js';
import { Connections } from './connections.js';
import { DtoPipe } from './dto.pipe.js';
import { ErrorFilter } from './errors.js';
import { HealthController, ReadinessCheck } from './health.controller.js';
import { Paths } from './paths.js';

/** What answers requests. Commands do without it. */
@Global()
@Module({})
export class HttpModule {
  static register(connections: Connections): DynamicModule {
    return {
      module: HttpModule,
      controllers: [HealthController],
      providers: [
        { provide: Connections, useValue: connections },
        { provide: ReadinessCheck, useExisting: DatabasePool },
        Paths,
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
      exports: [Paths],
    };
  }
}
