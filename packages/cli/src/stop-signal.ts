/** Returns a signal that SIGINT (Ctrl-C) or SIGTERM aborts. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
