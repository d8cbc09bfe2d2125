/** The result of an operation with details of the response. */
export interface ApiResponse<T> {
  data: T;
  /** The HTTP status. */
  status: number;
  /** All headers of the response. */
  headers: Headers;
  /** The id of the request in the service's log. */
  requestId: string | undefined;
  /** Whether an earlier create with the same idempotency key already created this animal. */
  isReplayed: boolean;
}

/** The promise of an operation. */
export interface ApiPromise<T> extends Promise<T> {
  /** Resolves to the result with details of the response. */
  withResponse(): Promise<ApiResponse<T>>;
}

/** Runs an operation. Returns a promise of the data alone, with a method for the whole response. */
export function toApiPromise<T>(operation: () => Promise<ApiResponse<T>>): ApiPromise<T> {
  const response = operation();
  const result = response.then(({ data }) => data);
  const withResponse = () => {
    // The caller handles the rejection of the returned promise, not of this one.
    result.catch(() => undefined);
    return response;
  };
  return Object.assign(result, { withResponse });
}

/** Reads `X-Request-Id` and `Idempotency-Replayed`. */
export function toApiResponse<T>({ status, headers }: Response, data: T): ApiResponse<T> {
  const requestId = headers.get('x-request-id') ?? undefined;
  return { data, status, headers, requestId, isReplayed: headers.get('idempotency-replayed') === 'true' };
}
