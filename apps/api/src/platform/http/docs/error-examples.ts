import type { ErrorCode } from '@petstore/contracts';

/** A message that the service sends with each code. */
export const errorExamples: Record<ErrorCode, string> = {
  invalid_json: 'The body is not valid UTF-8.',
  invalid_body: '`name` is required. `categoryId` must be an integer, not a string.',
  invalid_query: '`limit` must be an integer between 1 and 100.',
  invalid_cursor: '`after` is not a valid cursor for this `status` and `order`. Use the one of a Link with rel="next".',
  invalid_idempotency_key: '`Idempotency-Key` must be 1 to 255 visible ASCII characters, sent once.',
  bad_request: 'The request is not valid HTTP/1.1.',
  missing_api_key: 'An API key is required. Send it as `Authorization: Bearer <API_KEY>`.',
  invalid_api_key: 'This API key is unknown, expired or revoked.',
  insufficient_scope: 'This API key does not have the scope `read`.',
  pet_not_found: 'No animal has this id.',
  route_not_found: 'This path does not exist. See /docs for the API.',
  method_not_allowed: 'Method DELETE is not allowed. Allowed: GET, HEAD, POST.',
  request_timeout: 'The request did not arrive in time. The limits are 10 s for the headers and 30 s in total.',
  idempotency_key_in_use: 'A request with this `Idempotency-Key` is still running. Try again in 1 second.',
  gone: 'This operation was removed on 5 December 2030. Use GET /v1/pets?id={petId} instead.',
  payload_too_large: 'The body is too large. The limit is 65536 bytes.',
  unsupported_media_type: 'The body must be JSON. Send it with `Content-Type: application/json`.',
  idempotency_key_reused: 'This `Idempotency-Key` was used for a different animal in the last 24 hours. Use a new one.',
  rate_limited: 'This API key exceeded 600 requests per minute. Try again in 42 s.',
  headers_too_large: 'The headers are too large. The limit is 16384 bytes.',
  internal_error: 'Internal server error. Quote the X-Request-Id when you report it.',
  service_unavailable: 'The database is unavailable. Try again in 1 second.',
};
