import type { ErrorBody } from '@petstore/contracts';
import { type ApiErrorCode, PetstoreApiError } from './errors.js';
import { retryAfter } from './retry-after.js';

/** Converts an error response. */
export async function readError(response: Response, cause: unknown): Promise<PetstoreApiError> {
  const body = errorBody(await response.text(), response);
  return body ? apiError(response, { ...body, cause }) : unexpectedResponse(response, cause);
}

/** Recognizes an error by its members, not its code: a newer service may have further codes. */
function errorBody(text: string, response: Response): { code: ApiErrorCode; message: string } | undefined {
  try {
    const { code, message, status } = JSON.parse(text) as Record<keyof ErrorBody, unknown>;
    const isError = typeof code === 'string' && typeof message === 'string' && status === response.status;
    return isError ? { code, message } : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a response that is not from the API. */
export function unexpectedResponse(response: Response, cause: unknown, reason?: string): PetstoreApiError {
  const type = response.headers.get('content-type') ?? 'no content type';
  const message = reason ?? `The response is not from the Petstore API: HTTP ${response.status}, ${type}`;
  return apiError(response, { code: 'unexpected_response', message, cause });
}

function apiError(
  response: Response,
  details: { code: ApiErrorCode; message: string; cause: unknown },
): PetstoreApiError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new PetstoreApiError({
    ...details,
    status: response.status,
    requestId,
    retryAfter: retryAfter(response),
  });
}
