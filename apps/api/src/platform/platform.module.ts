import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import type { Logger } from 'pino';
import { Clock } from './clock/clock.js';
import { Config } from './config/config.js';
import { DatabaseNotifications } from './database/notifications.js';
import { PrismaService } from './database/prisma.service.js';
import { DtoPipe } from './http/dto.pipe.js';
import { ErrorFilter } from './http/error.filter.js';
import { HealthController, Lifeline } from './http/health.controller.js';
import { LOGGER } from './logging/logger.js';

/** What an app is made of that comes from outside. */
export interface PlatformOptions {
  config: Config;
  /** Of the database that was opened for it, embedded or not. */
  databaseUrl: string;
  logger: Logger;
  clock: Clock;
}

/** What no subject owns, for every feature. */
@Global()
@Module({})
export class PlatformModule {
  static register({ config, databaseUrl, logger, clock }: PlatformOptions): DynamicModule {
    const database = {
      url: databaseUrl,
      max: config.databasePoolMax,
      statementTimeoutMs: config.databaseStatementTimeoutMs,
    };
    return {
      module: PlatformModule,
      controllers: [HealthController],
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: LOGGER, useValue: logger },
        { provide: PrismaService, useFactory: () => new PrismaService(database) },
        { provide: Lifeline, useExisting: PrismaService },
        { provide: DatabaseNotifications, useFactory: () => new DatabaseNotifications(database) },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
      exports: [Config, Clock, LOGGER, PrismaService, DatabaseNotifications],
    };
  }
}
