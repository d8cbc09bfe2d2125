import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { DatabasePool } from '../database/pool.js';
import { ClientErrors } from './client-errors.js';
import { Connections } from './connections.js';
import { DtoPipe } from './dto.pipe.js';
import { ErrorFilter } from './errors.js';
import { HealthController, ReadinessCheck } from './health.controller.js';
import { HTTP_LIMITS, type HttpLimits } from './limits.js';
import { Paths } from './paths.js';

/** What responds to requests. Commands do without it. */
@Global()
@Module({})
export class ServerModule {
  static register(limits: HttpLimits): DynamicModule {
    return {
      module: ServerModule,
      controllers: [HealthController],
      providers: [
        { provide: HTTP_LIMITS, useValue: limits },
        { provide: ReadinessCheck, useExisting: DatabasePool },
        Connections,
        ClientErrors,
        Paths,
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
      exports: [Connections, Paths],
    };
  }
}
