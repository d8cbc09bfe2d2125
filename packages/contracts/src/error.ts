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

/** The body of every error answer (specification, section 7). */
export interface ErrorBody {
  code: ErrorCode;
  /** For people: names what is wrong and what is allowed. */
  message: string;
  /** Repeats the HTTP status. */
  status: number;
}
