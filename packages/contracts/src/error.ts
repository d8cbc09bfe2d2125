/** The HTTP status of each error code. A code without a status does not exist. */
export const errorStatuses = {
  invalid_json: 400,
  invalid_body: 400,
  invalid_query: 400,
  invalid_cursor: 400,
  invalid_idempotency_key: 400,
  bad_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  insufficient_scope: 403,
  pet_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_key_in_use: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
} as const;

/** Machine-readable error code. */
export type ErrorCode = keyof typeof errorStatuses;
export const errorCodes = Object.keys(errorStatuses) as ErrorCode[];

/** When the service returns each code. */
export const errorMeanings: Record<ErrorCode, string> = {
  invalid_json: 'The body is not valid JSON in UTF-8.',
  invalid_body: 'Fields are missing, unknown or invalid. The message names each.',
  invalid_query: 'A query parameter is unknown, repeated or invalid. The message names it.',
  invalid_cursor: '`after` is not a valid cursor of this list.',
  invalid_idempotency_key: 'The `Idempotency-Key` header is invalid.',
  bad_request: 'The request is malformed.',
  missing_api_key: 'The request has no API key.',
  invalid_api_key: 'The API key is unknown, expired or revoked.',
  insufficient_scope: 'The API key does not have the scope of this operation.',
  pet_not_found: 'No animal has this id.',
  route_not_found: 'The path does not exist.',
  method_not_allowed: 'The path does not support this method.',
  request_timeout: 'The request did not arrive in time.',
  idempotency_key_in_use: 'A request with this `Idempotency-Key` is still running.',
  gone: 'The operation was removed.',
  payload_too_large: 'The body is too large.',
  unsupported_media_type: 'The body is not application/json.',
  idempotency_key_reused: 'This `Idempotency-Key` was used for a different request.',
  rate_limited: 'Too many requests. Try again after `Retry-After`.',
  headers_too_large: 'The headers are too large.',
  internal_error: 'Internal server error.',
  service_unavailable: 'The service is temporarily unavailable. Try again after `Retry-After`.',
};

/** The body of every error response (specification, section 7). */
export interface ErrorBody {
  code: ErrorCode;
  /** For people: what is wrong and how to fix it. */
  message: string;
  /** Repeats the HTTP status. */
  status: number;
}
