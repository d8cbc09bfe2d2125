import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../config/config.js';
import { hideKeys } from './hide-keys.js';

export const LOGGER = Symbol('logger');

type LoggerConfig = Pick<Config, 'logLevel'> & Partial<Pick<Config, 'bootstrapApiKey'>>;

/** JSON lines on standard output (https://getpino.io), none of which ever holds a key. */
export function createLogger({ logLevel, bootstrapApiKey }: LoggerConfig, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: hideKeys(bootstrapApiKey) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Nest's own words, kept to what somebody has to act on. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(): void {}

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    this.logger.error({ details, err: message instanceof Error ? message : undefined }, String(message));
  }
}
