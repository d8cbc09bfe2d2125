import { PetstoreClient, type PetstoreClientOptions } from '@petstore/client';

/** Longer waits become an error on the page. */
const maxRetryAfterMs = 5000;

/** @throws TypeError when the API key has characters that cannot be sent. */
export function createClient(apiKey: string, options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  return new PetstoreClient({ maxRetryAfterMs, ...options, baseUrl: new URL('/v1', location.origin), apiKey });
}

/** Whether the text can be sent as an API key. */
export function isApiKey(text: string): boolean {
  try {
    return createClient(text) instanceof PetstoreClient;
  } catch {
    return false;
  }
}
