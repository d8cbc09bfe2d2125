import { parse, stringify } from 'lossless-json';
import { printable } from './terminal-text.js';

/** More than an int64 has. The exact value of a longer number does not matter, and must not cost time. */
const maxDigits = 40;

/** A message can quote a number or a name of the text, which can be long. */
const maxMessageLength = 200;

/**
 * Parses JSON (RFC 8259) without rounding: `JSON.parse` rounds integers beyond 2^53. A number with an integral value of up to
 * 40 digits becomes a `bigint` (1.0 and 1e2 too), any other number a `number`.
 * @throws SyntaxError if the text is not valid JSON, gives a member of an object two values, or nests too deeply.
 */
export function parseJson(text: string): unknown {
  try {
    return parse(text, undefined, exactNumber);
  } catch (error) {
    throw new SyntaxError(faultOf(error as Error), { cause: error });
  }
}

function faultOf(error: Error): string {
  // The parser is recursive: the text has exhausted the stack.
  if (error instanceof RangeError) return 'Nested too deeply';
  const message = printable(error.message);
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}

/** The value of a JSON number: a `bigint` if it is integral, however it is written, and has up to 40 digits. */
function exactNumber(text: string): bigint | number {
  if (text.length <= maxDigits && /^-?\d+$/.test(text)) return BigInt(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const size = digits.length - fraction.length + Number(exponent);
  const isIntegral = size > 0 && /^0*$/.test(digits.slice(size));
  return isIntegral && size <= maxDigits ? BigInt(sign + digits.slice(0, size).padEnd(size, '0')) : Number(text);
}

/** `JSON.stringify` for values that may contain `bigint`: writes each as an integer with every digit. */
export function stringifyJson(value: unknown, gap = ''): string {
  return stringify(value, undefined, gap) ?? 'null';
}
