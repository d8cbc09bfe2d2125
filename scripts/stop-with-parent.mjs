/**
 * Sends SIGTERM to this process when its parent has ended. At a SIGTERM, npm and its shell exit and may leave their child
 * running.
 */
export function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
