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
