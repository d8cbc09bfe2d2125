const intervalMs = 20;
let lostMs = 0;
let dueAt = performance.now() + intervalMs;

setInterval(() => {
  lostMs += lateness();
  dueAt = performance.now() + intervalMs;
}, intervalMs).unref();

function lateness(): number {
  return Math.max(0, performance.now() - dueAt);
}

/** Milliseconds of a clock that stops while this process is blocked. The blocked time must not count against the service. */
export function now(): number {
  return performance.now() - lostMs - lateness();
}
