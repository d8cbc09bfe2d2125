import { idempotencyKeyPattern, int64, nameFault, parseInt64, trimName } from '@petstore/contracts';
import { InvalidArgumentError } from 'commander';

// Parsers for arguments and flags. Each throws an InvalidArgumentError that names the allowed values.

/** Rejects an empty text, which is often a variable of a script that is not set. */
export function toText(advice: string): (text: string) => string {
  return (text) => {
    if (text.trim() !== '') return text;
    throw new InvalidArgumentError(advice);
  };
}

/** Parses an int64 in plain decimal digits, as the service requires in queries. */
export function toInt64(text: string): bigint {
  const value = parseInt64(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`Write a whole number in digits, such as 7, from ${int64.min} to ${int64.max}.`);
}

/** Trims a name as the forms of the admin do, and checks it by the rules of the service. */
export function toPetName(text: string): string {
  const name = trimName(text);
  const fault = nameFault(name);
  if (fault === undefined) return name;
  throw new InvalidArgumentError(`It ${fault}.`);
}

/** Checks an idempotency key by the rule of the service. */
export function toIdempotencyKey(text: string): string {
  if (idempotencyKeyPattern.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 255 visible ASCII characters.');
}

/** Parses the name of an encoding of the Encoding Standard. */
export function toEncoding(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new InvalidArgumentError('It must be an encoding, such as windows-1250, macintosh or shift_jis.');
  }
}

/** Parses an integer from 1 to `max`. */
export function toInteger(max: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be an integer from 1 to ${max}.`);
  };
}
