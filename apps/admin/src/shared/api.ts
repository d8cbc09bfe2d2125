import { type PetPage, PetstoreApiError, type PetstoreClient } from '@petstore/client';
import type { ListOrder, PetStatus } from '@petstore/contracts';
import { createClient } from './client.js';
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
      if (!(error instanceof PetstoreApiError) || error.status !== 401) throw error;
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

/** Distinguishes API keys without storing them (FNV-1a, 32 bits). Browsers offer `crypto.subtle` on HTTPS only. */
export function keyFingerprint(key: string): string {
  let hash = 0x81_1c_9d_c5;
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return (hash >>> 0).toString(36);
}

interface WalkOptions {
  status?: PetStatus | undefined;
  order?: ListOrder | undefined;
  /** The cursor of the first page to read. */
  after?: string | undefined;
  /** Adds the total to the first page. */
  count?: boolean;
  signal: AbortSignal;
}

/** All pages, oldest animals first by default. When the service rejects the key, the walk continues after the next sign-in. */
export async function* walkPets({
  status,
  order,
  after,
  count = false,
  signal,
}: WalkOptions): AsyncGenerator<PetPage, void> {
  let query = { status, order, after, count, limit: 100 };
  let page: PetPage;
  do {
    const current = query;
    page = await callApi((client) => client.listPets(current, { signal }).page(), signal);
    yield page;
    query = { status, order, after: page.next, count: false, limit: 100 };
  } while (query.after !== undefined);
}
