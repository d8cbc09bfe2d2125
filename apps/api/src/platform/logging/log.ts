import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '@petstore/contracts';
import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.js';
import { createLogger, type LoggerConfig } from './logger.js';

const endMs = 1000;

/** Whether a log in this format (LOG_FORMAT) is text for people, not JSON. */
export function isPretty(format: string | undefined): boolean {
  return format === 'pretty' || (format !== 'json' && process.stdout.isTTY);
}

/**
 * The log of the service. When it cannot be written, for example because a disk is full, the service continues: lines wait in
 * 16 MiB of memory, and further ones are dropped and counted.
 */
export class Log {
  readonly logger: Logger;
  private readonly isPretty: boolean;
  private readonly output;
  private hasEnded = false;

  /** Reads `process.stdout.fd`, because Node then makes a pipe non-blocking: a stuck reader does not prevent the end of the process. */
  constructor(config: LoggerConfig & Partial<Pick<Config, 'logFormat'>>, fd: number = process.stdout.fd) {
    this.isPretty = isPretty(config.logFormat);
    // pino writes once per turn of the event loop. Under load, a turn has more lines than the default of 16 KiB.
    this.output = pino.destination({ fd, maxLength: 16_777_216, maxWrite: 65_536 });
    const format = this.isPretty ? formatForPeople : formatForPrograms;
    this.logger = createLogger(config, { write: (line) => this.write(format(line)) });
    let dropped = 0;
    this.output.on('drop', () => (dropped += 1));
    this.output.on('drain', () => {
      if (dropped > 0) this.logger.error({ dropped }, `Dropped ${dropped} log lines.`);
      dropped = 0;
    });
    // pino writes the lines with the next one.
    this.output.on('error', () => undefined);
  }

  /** Prints a line for the person who started the service: as plain text, or as a JSON line of the log. */
  readonly print = (line: string): void => {
    if (this.isPretty) this.printText(line);
    else this.logger.info(line);
  };

  /** Prints plain text, in order with the log lines. It may contain a key. */
  readonly printText = (line: string): void => {
    this.write(`${line}\n`);
  };

  /** pino throws for a line after the end. */
  private write(text: string): void {
    if (!this.hasEnded) this.output.write(text);
  }

  /** Writes the lines that wait, for at most 1 s. Later lines are lost. */
  async end(): Promise<void> {
    const closed = once(this.output, 'close').catch(() => undefined);
    this.hasEnded = true;
    this.output.end();
    await Promise.race([closed, sleep(endMs)]);
    // Without this, pino would retry at the exit without end.
    this.output.destroy();
  }
}

/** Formats a line for programs. JSON escapes only the control characters below U+0020, and terminals obey others too. */
function formatForPrograms(line: string): string {
  return `${printable(line.trimEnd())}\n`;
}

const toText = pretty.prettyFactory({
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'requestId,method,path,status,ms,address,apiKeyId,event,name,scopes,expiresAt,count',
  singleLine: true,
  messageFormat: ({ msg, method, path, status, ms, name, count, address }) => {
    if (method === undefined) {
      const failures = count ? [[count, 'from', address].join(' ')] : [];
      return [msg, ...(name ? [name] : []), ...failures].join(': ');
    }
    return [method, path, status, ...(ms === undefined ? [msg] : [ms, 'ms'])].join(' ');
  },
});

/** Formats a line for people, without the ignored fields. A client cannot send control characters to the terminal. */
function formatForPeople(line: string): string {
  return toText(JSON.parse(line, escapeText));
}

function escapeText(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // The lines of a stack trace are indented.
  return key === 'stack' ? value.split('\n').map(printable).join('\n') : printable(value);
}
