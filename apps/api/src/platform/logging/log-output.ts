import cluster from 'node:cluster';
import { printable } from '@petstore/contracts';
import { type DestinationStream, pino } from 'pino';
import pretty from 'pino-pretty';

/** Turns a log line, which is JSON, into the text that is written. */
type Format = (line: string) => string;

const maxHeldEvents = 10_000;

/**
 * Writes log lines to a file descriptor. The service continues when the log cannot be written, for example because a disk
 * is full: lines wait in 16 MiB of memory. Further lines are dropped, except audit events, which wait apart. By default,
 * pino would block the process with endless retries, then end it.
 */
export class LogOutput implements DestinationStream {
  /** Called for each dropped line. */
  onDrop: () => void = () => undefined;
  /** Called when every line is written, with the number of lines dropped before. */
  onDrain: (dropped: number) => void = () => undefined;

  private readonly sink;
  private isFull = false;
  private dropped = 0;
  private heldEvents: string[] = [];

  constructor(
    fd: number,
    private readonly format: Format,
  ) {
    // pino writes once per turn of the event loop. Under load, a turn has more lines than the default of 16 KiB.
    // Lines of several processes must not mix: a pipe accepts up to 4096 bytes in one piece (PIPE_BUF).
    const maxWrite = cluster.isWorker ? 4096 : 65_536;
    this.sink = pino.destination({ fd, maxLength: 16_777_216, maxWrite });
    // Emitted while write() runs.
    this.sink.on('drop', () => (this.isFull = true));
    this.sink.on('drain', () => this.drain());
    this.continueAfterErrors();
  }

  write(line: string): void {
    const text = this.format(line);
    if (this.tryToWrite(text)) return;
    if (isAuditEvent(line) && this.heldEvents.length < maxHeldEvents) {
      this.heldEvents.push(text);
      return;
    }
    this.dropped += 1;
    this.onDrop();
  }

  /** Writes text for people, in order with the log lines. */
  print(line: string): void {
    this.sink.write(`${line}\n`);
  }

  end(): void {
    this.sink.end();
  }

  private tryToWrite(text: string): boolean {
    this.isFull = false;
    this.sink.write(text);
    return !this.isFull;
  }

  private drain(): void {
    const held = this.heldEvents;
    this.heldEvents = [];
    for (const text of held) {
      if (!this.tryToWrite(text)) this.heldEvents.push(text);
    }
    const { dropped } = this;
    this.dropped = 0;
    this.onDrain(dropped);
  }

  /** At exit, pino would retry without end to write what the file did not accept. */
  private continueAfterErrors(): void {
    const { sink } = this;
    const flushSync = sink.flushSync.bind(sink);
    sink.on('error', () => {
      sink.flushSync = () => undefined;
      sink.once('write', () => void (sink.flushSync = flushSync));
    });
  }
}

/** In a JSON line, the quotes of a value are escaped: only the code of the service writes this member. */
function isAuditEvent(line: string): boolean {
  return line.includes(',"event":"');
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
