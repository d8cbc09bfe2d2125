import { PetstoreApiError } from '@petstore/client';

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
