/** Bounds of int64, the type of `id` and `categoryId`: signed, 64 bits, exact in JSON to the last digit. */
export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/** The rule as the rest of a sentence that starts with the field. */
export const int64Rule = `must be an integer between ${int64.min} and ${int64.max}`;

/** Whether a value is a `bigint` within int64. */
export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= int64.min && value <= int64.max;
}

/** Parses plain decimal digits, without leading zeros. `undefined` for any other text, and for a number outside int64. */
export function parseInt64(text: string): bigint | undefined {
  const value = /^(0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined;
  return isInt64(value) ? value : undefined;
}
