/**
 * Runs a task again and again, never twice at once, and keeps no process alive for it.
 * @param onError Told of the first of failures in a row.
 * @returns What ends it; a run that is under way goes on.
 */
export function repeat(everyMs: number, task: () => Promise<unknown>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let hasFailed = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void run(), everyMs).unref();
  return () => clearInterval(timer);
}
