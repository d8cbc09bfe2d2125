import type { Page } from 'playwright-core';

/** Watches the next worker of the page. The returned function measures its heap after a garbage collection, in bytes. */
export async function workerHeap(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const worker = new Promise<string>((resolve) => {
    session.on('Target.attachedToTarget', ({ sessionId }) => resolve(sessionId));
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  let lastId = 0;
  const send = async (method: string): Promise<unknown> => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<unknown>((resolve) => {
      session.on('Target.receivedMessageFromTarget', ({ message }) => {
        const parsed = JSON.parse(message) as { id?: number; result?: unknown };
        if (parsed.id === id) resolve(parsed.result);
      });
    });
    await session.send('Target.sendMessageToTarget', {
      sessionId: await worker,
      message: JSON.stringify({ id, method }),
    });
    return answer;
  };
  return async () => {
    await send('HeapProfiler.collectGarbage');
    return ((await send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize;
  };
}
