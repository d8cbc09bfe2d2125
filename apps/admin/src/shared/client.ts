import { PetstoreApiError, PetstoreClient, type PetstoreClientOptions } from '@petstore/client';

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

/** Distinguishes API keys without storing them (FNV-1a, 32 bits). Browsers offer `crypto.subtle` on HTTPS only. */
export function keyFingerprint(key: string): string {
  let hash = 0x81_1c_9d_c5;
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return (hash >>> 0).toString(36);
}

/** An error response of the service, as plain data: an instance of the class would lose its members between threads. */
export type ApiFailure = Pick<PetstoreApiError, 'code' | 'message' | 'status' | 'requestId' | 'retryAfter'>;

/** @throws the error, if it is not a response of the service. */
export function toApiFailure(error: unknown): ApiFailure {
  if (!(error instanceof PetstoreApiError)) throw error;
  const { code, message, status, requestId, retryAfter } = error;
  return { code, message, status, requestId, retryAfter };
}

export function toApiError(failure: ApiFailure): PetstoreApiError {
  return new PetstoreApiError({ ...failure, cause: undefined });
}
