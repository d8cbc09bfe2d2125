/** Ends a peer at SIGTERM once it has closed what it holds. */
export function stopBySignal(close: () => Promise<unknown>): void {
  process.once('SIGTERM', () => void close().finally(() => process.exit(0)));
}
