/** More than an int64 has. The exact value of a longer number does not matter, and must not cost time or memory. */
const maxDigits = 40;

/** The value of a JSON number: a `bigint` if it is integral, however it is written, and has up to 40 digits. */
export function exactNumber(text: string): bigint | number {
  if (text.length <= maxDigits && /^-?\d+$/.test(text)) return BigInt(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const significant = withoutTrailingZeros(digits);
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0 || significant.length + zeros > maxDigits) return Number(text);
  return BigInt(sign + significant + '0'.repeat(zeros));
}

/** A loop, because a regular expression would take quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
