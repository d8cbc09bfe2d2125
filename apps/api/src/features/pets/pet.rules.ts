import { int64Fault, isInt64, nameFault } from '@petstore/contracts';
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

/** class-validator's IsInt rejects `bigint`, and its Min and Max round. */
export function IsInt64(options?: ValidationOptions): PropertyDecorator {
  const validator = {
    validate: isInt64,
    defaultMessage: (args?: { value: unknown }) => `\`$property\` ${int64Fault(args?.value)}.`,
  };
  return ValidateBy({ name: 'isInt64', validator }, options);
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
