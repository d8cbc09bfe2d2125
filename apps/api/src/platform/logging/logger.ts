import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.js';
import { hideKeys } from './hide-keys.js';

export const LOGGER = Symbol('logger');

type LoggerConfig = Pick<Config, 'logLevel'> & Partial<Pick<Config, 'bootstrapApiKey'>>;

/** JSON lines on standard output (https://getpino.io), text for a person at a terminal; none ever holds a key. */
export function createLogger(
  { logLevel, bootstrapApiKey }: LoggerConfig,
  destination: DestinationStream = process.stdout.isTTY ? forTerminal() : forCollector(),
): Logger {
  const options: LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: hideKeys(bootstrapApiKey) },
  };
  return pino(options, destination);
}

/**
 * Where nothing can be written (a disk is full), lines wait in a little memory and are dropped beyond it, and the
 * service goes on. Left to itself, pino would end it, and try without end to write before that.
 */
function forCollector(): DestinationStream {
  const output = pino.destination({ fd: 1, maxLength: 1_048_576 });
  const flushSync = output.flushSync.bind(output);
  output.on('error', () => {
    output.flushSync = () => undefined;
    output.once('write', () => void (output.flushSync = flushSync));
  });
  return output;
}

/** One short line a request: what else it has is for who searches a log. */
function forTerminal(): DestinationStream {
  return pretty({
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,method,path,status,ms,address,apiKeyId',
    singleLine: true,
    messageFormat: ({ msg, method, path, status, ms }) =>
      method === undefined ? String(msg) : [method, path, status, ...(ms === undefined ? [msg] : [ms, 'ms'])].join(' '),
  });
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
