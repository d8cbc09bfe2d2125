const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ctrl-C in a terminal reaches a process twice: from its process group and from npm. */
const sameRequestMs = 1000;

/**
 * Resolves at the first signal to stop. A later one ends the process without a graceful shutdown.
 * Call it before anything starts: until then, a signal ends the process without a cleanup.
 */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const stop = (signal: NodeJS.Signals) => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > sameRequestMs) process.exit(1);
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
