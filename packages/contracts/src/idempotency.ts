/** The `Idempotency-Key` header: 1 to 255 visible ASCII characters. It is scoped to the API key. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
/** How long the service recognizes an idempotency key after its create, in hours. */
export const idempotencyRetentionHours = 24;
