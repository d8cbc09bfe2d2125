/**
 * Ends this process, as SIGTERM does, once the one that started it has gone: npm and its shell end at a SIGTERM and
 * may leave their child running.
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
