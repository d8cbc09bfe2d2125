const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A terminal's Ctrl-C reaches a process twice at once, from its group and through npm. */
const sameSignalMs = 1000;

/**
 * Resolves at the first signal to stop. Asked before anything is started, so that nothing started is left behind.
 * Who signals again while the process is still busy wants it gone: it exits at once.
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
