import cluster from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.js';

export const LOGGER = Symbol('logger');

type LoggerConfig = Pick<Config, 'logLevel'> & Partial<Pick<Config, 'bootstrapApiKey' | 'logFormat'>>;

/** Whether the log is text for people, not JSON (`LOG_FORMAT`). */
function isPretty({ logFormat }: Partial<Pick<Config, 'logFormat'>>): boolean {
  return logFormat === undefined ? process.stdout.isTTY : logFormat === 'pretty';
}

/** Prints lines for the person who started the service: as plain text, or as JSON lines of the log. */
export function printer(config: Config, logger: Logger): (line: string) => void {
  return (line) => (isPretty(config) ? console.log(line) : logger.info(line));
}

/** A client chooses the path. Long ones would fill the log. */
const maxPathLength = 500;

/** Logs to standard output, with https://getpino.io. No line ever contains a key. */
export function createLogger(
  { logLevel, bootstrapApiKey, logFormat }: LoggerConfig,
  destination: DestinationStream | LogOutput = isPretty({ logFormat }) ? forPeople() : forCollector(1),
): Logger {
  const hide = hideKeys(bootstrapApiKey);
  const options: LoggerOptions = {
    level: logLevel,
    base: cluster.isWorker ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Hides keys before the cut: the start of a key would not be recognized as one.
    serializers: { path: (path: string) => shortened(hide(path)) },
    hooks: { streamWrite: hide },
  };
  const logger = pino(options, destination);
  if ('on' in destination) logDroppedLines(logger, destination);
  return logger;
}

/** Returns a function that replaces API keys in a text. What is logged or sent may repeat what a client sent. */
export function hideKeys(bootstrapApiKey?: string): (text: string) => string {
  if (bootstrapApiKey === undefined) return hideGeneratedKeys;
  const escaped = JSON.stringify(bootstrapApiKey).slice(1, -1);
  return (text) => hideGeneratedKeys(text).replaceAll(bootstrapApiKey, '…').replaceAll(escaped, '…');
}

function hideGeneratedKeys(text: string): string {
  return text.replaceAll(/psk_[A-Za-z0-9_-]{16,}/g, 'psk_…');
}

function shortened(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}

type LogOutput = ReturnType<typeof pino.destination>;

/**
 * The service continues when the log cannot be written, for example because a disk is full: lines wait in 16 MiB of memory,
 * and further lines are dropped. By default, pino would end the process, and block it before that with endless retries.
 */
export function forCollector(fd: number): LogOutput {
  // pino writes once per turn of the event loop. Under load, a turn has more lines than the default of 16 KiB.
  // Lines of several processes must not mix: a pipe accepts up to 4096 bytes in one piece (PIPE_BUF).
  const maxWrite = cluster.isWorker ? 4096 : 65_536;
  const output = pino.destination({ fd, maxLength: 16_777_216, maxWrite });
  const flushSync = output.flushSync.bind(output);
  output.on('error', () => {
    output.flushSync = () => undefined;
    output.once('write', () => void (output.flushSync = flushSync));
  });
  return output;
}

/** Logs the number of dropped lines once there is room again. */
function logDroppedLines(logger: Logger, output: LogOutput): void {
  let dropped = 0;
  output.on('drop', () => (dropped += 1));
  output.on('drain', () => {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    logger.warn({ dropped: count }, `Dropped ${count} log lines.`);
  });
}

/** One short line per request. The other fields are only in the JSON log. */
function forPeople(): DestinationStream {
  return pretty({
    destination: forCollector(1),
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,method,path,status,ms,address,apiKeyId',
    singleLine: true,
    messageFormat: ({ msg, method, path, status, ms }) =>
      method === undefined ? String(msg) : [method, path, status, ...(ms === undefined ? [msg] : [ms, 'ms'])].join(' '),
  });
}

/** Passes on only the warnings and errors of Nest. */
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
