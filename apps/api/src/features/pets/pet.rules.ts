import { int64Rule, isInt64, petNameFault, petNameFaults } from '@petstore/contracts';
import { IsIn, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';

export function IsPetName(): PropertyDecorator {
  return ValidateBy({
    name: 'isPetName',
    validator: {
      validate: (value) => nameFault(value) === undefined,
      defaultMessage: (args) => `\`$property\` ${nameFault(args?.value)}.`,
    },
  });
}

function nameFault(value: unknown): string | undefined {
  if (value === undefined) return 'is required';
  if (typeof value !== 'string') return `must be a string, not ${typeNameOf(value)}`;
  const fault = petNameFault(value);
  return fault && petNameFaults[fault];
}

/** class-validator's IsInt rejects `bigint`, and its Min and Max round. */
export function IsInt64(options?: ValidationOptions): PropertyDecorator {
  const validator = {
    validate: isInt64,
    defaultMessage: (args?: { value: unknown }) => `\`$property\` ${int64Fault(args?.value)}.`,
  };
  return ValidateBy({ name: 'isInt64', validator }, options);
}

function int64Fault(value: unknown): string {
  if (value === undefined) return 'is required';
  if (typeof value === 'bigint' || typeof value === 'number') {
    return int64Rule;
  }
  return `must be an integer, not ${typeNameOf(value)}`;
}

/** The JSON type of a value, with its article. */
function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}

export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, { message: `\`$property\` must be one of: ${values.join(', ')}.` });
}

/** Unlike class-validator's IsOptional, rejects `null`. */
export function MayBeOmitted(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

const plainInteger = /^(0|-?[1-9]\d{0,18})$/;

/** Converts plain decimal digits without leading zeros. Any other text stays text, which the rules reject. */
export function integerFromText(text: string): number | string {
  return plainInteger.test(text) ? Number(text) : text;
}

/** Like `toInteger`, without rounding. */
export function int64FromText(text: string): bigint | string {
  return plainInteger.test(text) ? BigInt(text) : text;
}
