import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** The directory of this package. Files next to its code are found from here, because the build changes the paths of modules. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve('#package.json'));

const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };

/** The version of the product. The version of the interface is in openapi-document.ts. */
export const productVersion = manifest.version;

const hasScripts = existsSync(join(packageFolder, '../../package.json'));

/** A package of the service has no npm scripts: there, a text names the program that the scripts start. */
export function withProgramNames(text: string): string {
  if (hasScripts) return text;
  return text.replaceAll(/npm run ([a-z:]+)( --)?/g, (_, script: string) => {
    const command = script === 'database:url' ? 'database-url' : script.replace(':', ' ');
    return `node apps/api/dist/manage.js ${command}`;
  });
}

/** By default V8 lets the heap grow up to fourfold between full collections. Measured: 200 MB under load instead of 300. */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=30');
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ctrl-C in a terminal reaches a process twice: from its process group and from npm. */
const sameRequestMs = 1000;

/**
 * The requests to stop this process: signals, and messages of the process that started it. A second signal ends `delay`, or
 * else the process, without a graceful shutdown.
 * Create it before anything starts: until then, a signal ends the process without a cleanup.
 */
export class StopRequests {
  /** Resolves at the first request. */
  readonly first: Promise<NodeJS.Signals>;
  private latest = 0;
  private resolveFirst: (signal: NodeJS.Signals) => void = () => undefined;
  private isStopping = false;
  private hasDelay = true;
  private endDelay: (() => void) | undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.resolveFirst = resolve;
    });
    for (const signal of signals) process.on(signal, () => this.add(signal));
  }

  /** For a message: further ones have no effect. */
  begin(signal: NodeJS.Signals = 'SIGTERM'): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.latest = performance.now();
    // A person who presses Ctrl-C waits for the end.
    this.hasDelay = signal !== 'SIGINT' || !process.stdout.isTTY;
    this.resolveFirst(signal);
  }

  /** Ends the delay, or the next one before it begins. */
  skipDelay(): void {
    this.hasDelay = false;
    this.endDelay?.();
  }

  /** Waits, unless a request or Ctrl-C at a terminal skips the delay. Returns whether it was skipped. */
  async delay(ms: number): Promise<boolean> {
    if (!this.hasDelay || ms === 0) return !this.hasDelay;
    const skipped = new Promise<true>((resolve) => {
      this.endDelay = () => resolve(true);
    });
    const wasSkipped = await Promise.race([skipped, sleep(ms, false)]);
    this.endDelay = undefined;
    return wasSkipped;
  }

  private add(signal: NodeJS.Signals): void {
    if (!this.isStopping) return this.begin(signal);
    const now = performance.now();
    if (now - this.latest < sameRequestMs) return;
    this.latest = now;
    if (this.endDelay) this.skipDelay();
    else process.exit(1);
  }
}

/** Resolves at the first signal to stop. A later signal ends the process without a graceful shutdown. */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new StopRequests().first;
}
