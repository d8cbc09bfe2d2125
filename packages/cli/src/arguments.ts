import { int64Fault, nameFault } from '@petstore/contracts';
import { InvalidArgumentError } from 'commander';

// Parsers for arguments and flags. Each throws an InvalidArgumentError that names the allowed values.

export function toInt64(text: string): bigint {
  const value = /^-?\d{1,40}$/.test(text) ? BigInt(text) : Number.NaN;
  const fault = int64Fault(value);
  if (typeof value === 'bigint' && fault === undefined) return value;
  throw new InvalidArgumentError(`It ${fault}.`);
}

export function toPetName(text: string): string {
  const fault = nameFault(text);
  if (fault === undefined) return text;
  throw new InvalidArgumentError(`It ${fault}.`);
}

/** Parses an integer from 1 to `max`. */
export function toInteger(max: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be an integer from 1 to ${max}.`);
  };
}
