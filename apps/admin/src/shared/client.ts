import { PetstoreApiError, PetstoreClient, type PetstoreClientOptions, PetstoreNetworkError } from '@petstore/client';
import type { ErrorCode } from '@petstore/contracts';

/** Longer waits become an error on the page. */
const maxRetryAfterMs = 5000;

type Options = Partial<PetstoreClientOptions>;

export function clientOptions(apiKey: string, options: Options = {}): PetstoreClientOptions {
  return { maxRetryAfterMs, ...options, baseUrl: new URL('/v1', location.origin), apiKey };
}

/** @throws TypeError when the API key has characters that cannot be sent. */
export function createClient(apiKey: string, options?: Options): PetstoreClient {
  return new PetstoreClient(clientOptions(apiKey, options));
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

const keyCodes: ReadonlySet<string> = new Set<ErrorCode>(['missing_api_key', 'invalid_api_key']);

/** Whether the service has rejected the API key. */
export function isKeyRejected(error: unknown): error is PetstoreApiError {
  return error instanceof PetstoreApiError && keyCodes.has(error.code);
}

/** Whether something between this device and the service answered: a proxy, or a network that asks people to sign in. */
export function isForeignAnswer(error: unknown): boolean {
  if (error instanceof PetstoreApiError && error.status === 401) return !isKeyRejected(error);
  return error instanceof PetstoreApiError ? error.code === 'unexpected_response' : isRedirect(error);
}

/** The service never redirects. Unlike a lost connection, a redirect has no cause. */
function isRedirect(error: unknown): error is PetstoreNetworkError {
  return error instanceof PetstoreNetworkError && error.cause === undefined;
}

/** An error response, as plain data: an instance of the class would lose its members between threads. */
export type ApiFailure = Pick<PetstoreApiError, 'code' | 'message' | 'status' | 'requestId' | 'retryAfter'>;

/** @throws the error, if it is not a response. */
export function toApiFailure(error: unknown): ApiFailure {
  if (isRedirect(error)) return { ...redirected, message: error.message };
  if (!(error instanceof PetstoreApiError)) throw error;
  const { code, message, status, requestId, retryAfter } = error;
  return { code, message, status, requestId, retryAfter };
}

const redirected = { code: 'unexpected_response', status: 0, requestId: undefined, retryAfter: undefined };

export function toApiError(failure: ApiFailure): PetstoreApiError {
  return new PetstoreApiError({ ...failure, cause: undefined });
}
