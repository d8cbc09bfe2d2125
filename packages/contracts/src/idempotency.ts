/** The `Idempotency-Key` header: 1 to 255 visible ASCII characters, scoped to the API key, remembered for 24 hours. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;
export const idempotencyRetentionHours = 24;
