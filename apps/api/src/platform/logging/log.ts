import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { formatForPeople, formatForPrograms } from './format.js';
import { createLogger, type LoggerConfig } from './logger.js';

const endMs = 1000;

/** Whether the log is text for people, not JSON. */
export function isPretty({ logFormat }: Partial<Pick<Config, 'logFormat'>>): boolean {
  return logFormat === undefined ? process.stdout.isTTY : logFormat === 'pretty';
}

/**
 * The log of the service. When it cannot be written, for example because a disk is full, the service continues: lines wait in
 * 16 MiB of memory, and further ones are dropped and counted.
 */
export class Log {
  readonly logger: Logger;
  /** The number of lines dropped since the start. */
  dropped = 0;
  private readonly isPretty: boolean;
  private readonly output;

  /** Node makes a pipe non-blocking when `process.stdout` is used. Otherwise a stuck reader would prevent the end of the process. */
  constructor(config: LoggerConfig & Partial<Pick<Config, 'logFormat'>>, fd: number = process.stdout.fd) {
    this.isPretty = isPretty(config);
    // pino writes once per turn of the event loop. Under load, a turn has more lines than the default of 16 KiB.
    this.output = pino.destination({ fd, maxLength: 16_777_216, maxWrite: 65_536 });
    const format = this.isPretty ? formatForPeople : formatForPrograms;
    this.logger = createLogger(config, { write: (line) => this.output.write(format(line)) });
    let reported = 0;
    this.output.on('drop', () => (this.dropped += 1));
    this.output.on('drain', () => {
      const dropped = this.dropped - reported;
      reported = this.dropped;
      if (dropped > 0) this.logger.warn({ dropped }, `Dropped ${dropped} log lines.`);
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
    this.output.write(`${line}\n`);
  };

  /** Writes the lines that wait, for at most 1 s. Later lines are lost. */
  async end(): Promise<void> {
    const closed = once(this.output, 'close').catch(() => undefined);
    this.output.end();
    await Promise.race([closed, sleep(endMs)]);
    // Otherwise pino would retry at the exit without end.
    this.output.destroy();
  }
}
