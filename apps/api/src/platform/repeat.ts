/**
 * Runs a task at an interval. Runs never overlap, and the timer does not keep the process alive.
 * @param onError Called for the first of consecutive failures.
 * @returns A function that stops the interval. It does not interrupt a run.
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
