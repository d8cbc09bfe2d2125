import type { PetstoreClient } from '@petstore/client';
import { createClient, isKeyRejected, keyFingerprint } from './client.js';
import { acceptKey, currentSession, onSessionChange, rejectKey } from './session.js';

/**
 * Calls the service with the API key of the session. If the service rejects the key, this waits until the person has
 * signed in again. Then it repeats the call: no page and no form loses anything.
 */
export function callApi<T>(
  call: (client: PetstoreClient, keyHash: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return callWithKey((key) => call(createClient(key), keyFingerprint(key)), signal);
}

/** As `callApi`, for code that creates its own client. */
export async function callWithKey<T>(call: (key: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const key = await acceptedKey(signal);
    try {
      const result = await call(key);
      acceptKey(key);
      return result;
    } catch (error) {
      if (!isKeyRejected(error)) throw error;
      rejectKey(key, error);
    }
  }
}

/** @throws AbortError when the signal aborts, or the person signs out. */
function acceptedKey(signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const unsubscribe = onSessionChange(settle);
    signal?.addEventListener('abort', settle);
    settle();

    function settle(): void {
      const session = currentSession();
      if (signal?.aborted || !session) reject(new DOMException('Canceled or signed out', 'AbortError'));
      else if (session.rejection) return;
      else resolve(session.key);
      unsubscribe();
      signal?.removeEventListener('abort', settle);
    }
  });
}

/** How often a visible page asks for changes. */
export const refreshMs = 15_000;

/** Options of a query that keeps a visible page up to date. A page without data offers "Try again" instead. */
export const live = {
  refetchInterval: ({ state }: { state: { data: unknown } }) => (state.data === undefined ? false : refreshMs),
} as const;
