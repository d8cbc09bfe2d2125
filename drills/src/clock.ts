const everyMs = 20;
let lostMs = 0;
let dueAt = performance.now() + everyMs;

setInterval(() => {
  lostMs += lateness();
  dueAt = performance.now() + everyMs;
}, everyMs).unref();

function lateness(): number {
  return Math.max(0, performance.now() - dueAt);
}

/**
 * Milliseconds by a clock that stands still while this process does, because its machine is busy or pauses: seconds that
 * nobody had would else count against the service.
 */
export function now(): number {
  return performance.now() - lostMs - lateness();
}
