import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** The directory of this package. Files next to its code are found from here, because the build changes the paths of modules. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve('#package.json'));

const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };

/** The version of the product. The version of the interface is in openapi-document.ts. */
export const productVersion = manifest.version;

/** By default V8 lets the heap grow up to fourfold between full collections. Measured: 200 MB under load instead of 300. */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=30');
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ctrl-C in a terminal reaches a process twice: from its process group and from npm. */
const sameSignalMs = 1000;

/**
 * Resolves at the first signal to stop. A later signal ends the process without a graceful shutdown.
 * Call it before anything starts: until then, a signal ends the process without a cleanup.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const take = (signal: NodeJS.Signals): void => {
      first ??= performance.now();
      if (performance.now() - first > sameSignalMs) process.exit(1);
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, take);
  });
}
