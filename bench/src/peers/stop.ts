/** Closes a peer's resources at SIGTERM, then ends the process. */
export function stopBySignal(close: () => Promise<unknown>): void {
  process.once('SIGTERM', () => void close().finally(() => process.exit(0)));
}
