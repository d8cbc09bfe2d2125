import { once } from 'node:events';
import { constants, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '@petstore/contracts';
import { type DestinationStream, pino } from 'pino';
import pretty from 'pino-pretty';

/** Turns a log line, which is JSON, into the text that is written. */
type Format = (line: string) => string;

const flushMs = 500;

/**
 * Writes log lines to a file descriptor. The service continues when the log cannot be written, for example because a disk
 * is full: lines wait in 16 MiB of memory, and further ones are dropped and counted, audit lines included. A stuck reader
 * does not delay the end of the process: lines that are not written about a second after its end are lost.
 */
export class LogOutput implements DestinationStream {
  /** Called with the number of lines that were just dropped. */
  onDrop: (count: number) => void = () => undefined;
  /** Called when every line is written, with the number of lines dropped before. */
  onDrain: (dropped: number) => void = () => undefined;

  private readonly sink;
  private canWrite = true;
  private isClosed = false;
  private waiting = 0;
  private dropped = 0;

  constructor(
    fd: number,
    private readonly format: Format,
  ) {
    let flushUntil = Infinity;
    // pino writes once per turn of the event loop. Under load, a turn has more lines than the default of 16 KiB.
    const retryEAGAIN = () => performance.now() < flushUntil;
    this.sink = pino.destination({ fd: nonBlocking(fd), maxLength: 16_777_216, maxWrite: 65_536, retryEAGAIN });
    this.sink.on('drop', () => this.drop(1));
    this.sink.on('drain', () => this.drain());
    this.sink.on('write', () => (this.canWrite = true));
    this.sink.on('error', (error: NodeJS.ErrnoException) => this.fail(error));
    // Before pino's own flush at exit, which would retry without end.
    process.prependListener('exit', () => {
      flushUntil = performance.now() + flushMs;
      this.finish();
    });
  }

  write(line: string): void {
    this.waiting += 1;
    if (this.isClosed) this.drop(1);
    else this.sink.write(this.format(line));
  }

  /** Writes text for people, in order with the log lines. */
  print(line: string): void {
    this.sink.write(`${line}\n`);
  }

  /** Writes all lines, which takes at most 0.5 s. Otherwise a write that is on its way would follow later lines at the exit. */
  async end(): Promise<void> {
    this.isClosed = true;
    const closed = once(this.sink, 'close').catch(() => undefined);
    this.sink.end();
    await Promise.race([closed, sleep(flushMs)]);
  }

  private drop(count: number): void {
    this.waiting -= count;
    this.dropped += count;
    this.onDrop(count);
  }

  private drain(): void {
    const { dropped } = this;
    this.waiting = 0;
    this.dropped = 0;
    this.onDrain(dropped);
  }

  /** Nothing reads a closed pipe again. After other errors, pino writes the lines with the next one. */
  private fail({ code }: NodeJS.ErrnoException): void {
    this.canWrite = false;
    if (code !== 'EPIPE' || this.isClosed) return;
    this.isClosed = true;
    this.drop(this.waiting);
  }

  private finish(): void {
    try {
      // pino would retry without end on a full disk.
      if (this.canWrite) this.sink.flushSync();
    } catch {
      // The reader is stuck.
    }
    this.sink.destroy();
  }
}

/**
 * A write that blocks would stop the service, and keep the process from its end. Ctrl-S and a dead SSH connection block a
 * terminal.
 */
function nonBlocking(fd: number): number {
  // Node's own stream makes a pipe non-blocking, but no terminal.
  if (fd !== 1 || !process.stdout.isTTY) return fd;
  try {
    return openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return fd;
  }
}

/** For programs. JSON.stringify escapes only the control characters below U+0020, and terminals obey others too. */
export const formatForPrograms: Format = (line) => `${printable(line.trimEnd())}\n`;

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

/** One short line per request. The ignored fields are only in the JSON log. A client cannot write to the terminal. */
export const formatForPeople: Format = (line) => toText(JSON.parse(line, escapeText));

function escapeText(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // The lines of a stack trace are indented.
  return key === 'stack' ? value.split('\n').map(printable).join('\n') : printable(value);
}
