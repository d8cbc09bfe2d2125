import type { LoggerService } from '@nestjs/common';
import { signInLink } from '@petstore/contracts';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../config/config.js';

export const LOGGER = Symbol('logger');

export type LoggerConfig = Pick<Config, 'logLevel'> & Partial<Pick<Config, 'bootstrapApiKey'>>;

/** A client chooses the path. Long ones would fill the log. */
const maxPathLength = 500;

/** Logs JSON lines, by default to standard output, with https://getpino.io. No line ever contains a key. */
export function createLogger({ logLevel, bootstrapApiKey }: LoggerConfig, destination?: DestinationStream): Logger {
  const hide = hideKeys(bootstrapApiKey);
  const options: LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Hides keys before the cut: the start of a key would not be recognized as one.
    serializers: {
      path: (path: string) => (path.length > maxPathLength ? `${hide(path).slice(0, maxPathLength)}…` : path),
    },
    hooks: { streamWrite: hideKeysInJson(bootstrapApiKey) },
  };
  return pino(options, destination);
}

/** Returns a function that replaces API keys in a text. What is logged or sent may repeat what a client sent. */
export function hideKeys(bootstrapApiKey?: string): (text: string) => string {
  const hide = hideKeysInJson(bootstrapApiKey);
  return (text) => JSON.parse(hide(JSON.stringify(text))) as string;
}

/** What follows may be a key of any form, up to the end of the JSON string. */
const linkInJson = new RegExp(String.raw`${signInLink.source}(?:\\.|[^"\\])*`, 'gi');

function hideKeysInJson(bootstrapApiKey?: string): (json: string) => string {
  const hide = (json: string) => json.replaceAll(/psk_[A-Za-z0-9_-]{16,}/g, 'psk_…').replaceAll(linkInJson, '#key=…');
  if (bootstrapApiKey === undefined) return hide;
  const escaped = JSON.stringify(bootstrapApiKey).slice(1, -1);
  return (json) => hide(json).replaceAll(escaped, '…');
}

/** Passes on only the warnings and errors of Nest. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(): void {}

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    // The start itself reports, with an explanation, that it cannot listen.
    if (details.at(-1) === 'NestApplication') return;
    this.logger.error({ details, err: message instanceof Error ? message : undefined }, String(message));
  }
}
