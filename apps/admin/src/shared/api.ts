import { PetstoreApiError, PetstoreClient } from '@petstore/client';
import { keyMark } from './key-mark.js';
import { currentSession, onSession, refuseKey } from './session.js';

/** Nobody waits longer in front of a page that says nothing. */
const maxRetryAfterMs = 5000;

/** `retries`: attempts after the first one. @throws TypeError when the key is none that can be sent. */
export function petstoreClient(apiKey: string, retries = 2): PetstoreClient {
  const baseUrl = new URL('/v1', location.origin);
  return new PetstoreClient({ baseUrl, apiKey, retries, maxRetryAfterMs });
}

/** `mark`: of the API key that the client has. */
type Work<T> = (client: PetstoreClient, mark: string) => Promise<T>;

/**
 * Asks the service with the key of the session. When the key is refused, it waits until the person has signed in again
 * and goes on from there, so that neither a page nor a form loses anything.
 */
export async function ask<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const key = await usableKey(signal);
    try {
      return await work(petstoreClient(key), keyMark(key));
    } catch (error) {
      if (!(error instanceof PetstoreApiError) || error.status !== 401) throw error;
      refuseKey(key, error.message);
    }
  }
}

/** @throws an AbortError once nobody waits for it, or the person has signed out. */
function usableKey(signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = onSession(settle);
    signal?.addEventListener('abort', settle);
    settle();

    function settle(): void {
      const session = currentSession();
      if (signal?.aborted) reject(new DOMException('Nobody waits for it', 'AbortError'));
      else if (session === undefined) reject(new DOMException('Signed out', 'AbortError'));
      else if (session.refusal === undefined) resolve(session.key);
      else return;
      stop();
      signal?.removeEventListener('abort', settle);
    }
  });
}
