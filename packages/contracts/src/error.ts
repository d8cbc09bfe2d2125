import { getPetRemovalDate } from './operations.js';

interface ErrorDefinition {
  /** The HTTP status. */
  status: number;
  /** When the service returns the code. */
  meaning: string;
  /** The message of the service. If it names a value of the request or of the configuration, this is an example. */
  message: string;
}

/** The errors of the API, by code. */
export const errorTable = {
  invalid_json: {
    status: 400,
    meaning: 'The body is not valid JSON in UTF-8.',
    message: 'The body is not valid UTF-8.',
  },
  invalid_body: {
    status: 400,
    meaning: 'Fields are missing, unknown or invalid. The message names each.',
    message: '`name` is required. `categoryId` must be an integer, not a string.',
  },
  invalid_query: {
    status: 400,
    meaning: 'A query parameter is unknown, repeated or invalid. The message names it.',
    message: '`limit` must be an integer between 1 and 100, in plain digits.',
  },
  invalid_cursor: {
    status: 400,
    meaning: '`after` is not a valid cursor of this list.',
    message: '`after` is not a valid cursor for these filters and this `order`. Use the one of a Link with rel="next".',
  },
  invalid_idempotency_key: {
    status: 400,
    meaning: 'The `Idempotency-Key` header is invalid.',
    message: '`Idempotency-Key` must be 1 to 255 visible ASCII characters, sent once.',
  },
  bad_request: {
    status: 400,
    meaning: 'The request is malformed.',
    message: 'The request is not valid HTTP/1.1.',
  },
  missing_api_key: {
    status: 401,
    meaning: 'The request has no API key.',
    message: 'An API key is required. Send it as `Authorization: Bearer <API_KEY>`.',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The API key is unknown, expired or revoked.',
    message: 'This API key is unknown, expired or revoked.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The API key does not have the scope of this operation.',
    message: 'This API key does not have the scope of this operation.',
  },
  pet_not_found: {
    status: 404,
    meaning: 'No animal has this id.',
    message: 'No animal has this id.',
  },
  route_not_found: {
    status: 404,
    meaning: 'The path does not exist.',
    message: 'This path does not exist. See /docs for the API.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method.',
    message: 'Method DELETE is not allowed. Allowed: GET, HEAD, POST.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive in time.',
    message: 'The request did not arrive in time. The limits are 10 s for the headers and 30 s in total.',
  },
  idempotency_key_in_use: {
    status: 409,
    meaning: 'The record of this `Idempotency-Key` expired while the service handled the request.',
    message:
      'The record of this `Idempotency-Key` expired while the service handled the request. Send the request again.',
  },
  gone: {
    status: 410,
    meaning: 'The operation was removed.',
    message: `This operation was removed on ${getPetRemovalDate}. Use GET /v1/pets?id={petId} instead.`,
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is too large.',
    message: 'The body is too large. The limit is 8192 bytes.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not application/json.',
    message: 'The body must be JSON. Send it with `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'This `Idempotency-Key` was used for a different request.',
    message: 'This `Idempotency-Key` was used for a different animal in the last 24 hours. Use a new one.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests. Try again after `Retry-After`.',
    message: 'This API key exceeded 600 requests per minute. Try again in 42 s.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are too large.',
    message: 'The headers are too large. The limits are 16384 bytes and 100 lines.',
  },
  internal_error: {
    status: 500,
    meaning: 'Internal server error.',
    message: 'Internal server error. Quote the X-Request-Id when you report it.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service is temporarily unavailable. Try again after `Retry-After`.',
    message: 'The database is unavailable. Try again in 1 second.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** The `code` of an error. A newer version may have further ones. */
export type ErrorCode = keyof typeof errorTable;
/** All codes, in the order of the table, which is that of the statuses. */
export const errorCodes = Object.keys(errorTable) as ErrorCode[];

/** The body of every error response (specification, section 7). */
export interface ErrorBody {
  code: ErrorCode;
  /** For people: what is wrong and how to fix it. */
  message: string;
  /** The HTTP status. */
  status: number;
}
