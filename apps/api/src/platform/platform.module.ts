import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from './clock.js';
import { type Config, CONFIG } from './config/config.js';
import { DATABASE_URL } from './database/connection.js';
import { DatabasePool } from './database/pool.js';
import { PrismaService } from './database/prisma.service.js';
import { DiskSpace } from './disk-space.js';
import { LOGGER } from './logging/logger.js';
import { Metrics } from './metrics/metrics.js';

export interface PlatformOptions {
  config: Config;
  /** URL of the open database, embedded or external. */
  databaseUrl: string;
  /** The directory of an embedded database. */
  dataDirectory?: string | undefined;
  logger: Logger;
  clock: Clock;
}

/** The services that all features share. */
@Global()
@Module({})
export class PlatformModule {
  static register({ config, databaseUrl, dataDirectory, logger, clock }: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: LOGGER, useValue: logger },
        { provide: DATABASE_URL, useValue: databaseUrl },
        Metrics,
        {
          provide: DiskSpace,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new DiskSpace(dataDirectory, logger, metrics),
        },
        DatabasePool,
        PrismaService,
      ],
      exports: [CONFIG, Clock, LOGGER, DATABASE_URL, Metrics, DiskSpace, DatabasePool, PrismaService],
    };
  }
}
