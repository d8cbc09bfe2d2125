import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import type { Logger } from 'pino';
import { Clock } from './clock.js';
import { type Config, CONFIG } from './config/config.js';
import { DatabaseNotifications } from './database/notifications.js';
import { PrismaService } from './database/prisma.service.js';
import { AccessGuard } from './http/access.js';
import { Connections } from './http/connections.js';
import { DtoCheck, DtoPipe } from './http/dto.pipe.js';
import { ErrorFilter } from './http/error.filter.js';
import { HealthController, ReadinessCheck } from './http/health.controller.js';
import { LOGGER } from './logging/logger.js';
import { Metrics } from './metrics/metrics.js';

/** What the caller of `createApp` provides. */
export interface PlatformOptions {
  config: Config;
  /** URL of the open database, embedded or external. */
  databaseUrl: string;
  logger: Logger;
  clock: Clock;
  connections: Connections;
}

/** The services that all features share. */
@Global()
@Module({})
export class PlatformModule {
  static register({ config, databaseUrl, logger, clock, connections }: PlatformOptions): DynamicModule {
    const database = {
      url: databaseUrl,
      max: config.databasePoolMax,
      statementTimeoutMs: config.databaseStatementTimeoutMs,
    };
    return {
      module: PlatformModule,
      imports: [DiscoveryModule],
      controllers: [HealthController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: LOGGER, useValue: logger },
        { provide: Connections, useValue: connections },
        Metrics,
        { provide: PrismaService, useFactory: () => new PrismaService(database) },
        { provide: ReadinessCheck, useExisting: PrismaService },
        { provide: DatabaseNotifications, useFactory: () => new DatabaseNotifications(database, logger) },
        DtoCheck,
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
      exports: [CONFIG, Clock, LOGGER, Metrics, PrismaService, DatabaseNotifications],
    };
  }
}
