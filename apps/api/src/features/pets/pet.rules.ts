import { int64Rule, isInt64, petNameFault, petNameFaults, petNameRule } from '@petstore/contracts';
import { IsIn, ValidateBy, ValidateIf } from 'class-validator';

/** The rules of a name, in the contract's words. */
export function IsPetName(): PropertyDecorator {
  return ValidateBy({
    name: 'isPetName',
    validator: {
      validate: (value) => typeof value === 'string' && petNameFault(value) === undefined,
      defaultMessage: (args) => `$property ${nameRule(args?.value)}`,
    },
  });
}

function nameRule(value: unknown): string {
  if (value === undefined) return `is missing, it ${petNameRule}`;
  const fault = typeof value === 'string' ? petNameFault(value) : undefined;
  return fault ? `${petNameRule}: ${petNameFaults[fault]}` : petNameRule;
}

/** An integer of 64 bits. class-validator's IsInt knows no bigint, and its Min and Max round. */
export function IsInt64(): PropertyDecorator {
  return ValidateBy({
    name: 'isInt64',
    validator: {
      validate: isInt64,
      defaultMessage: (args) => `$property ${args?.value === undefined ? 'is missing, it ' : ''}${int64Rule}`,
    },
  });
}

export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, { message: `$property must be one of ${values.join(', ')}` });
}

/** Unlike class-validator's IsOptional, lets a member be left out but not be null. */
export function MayBeOmitted(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

const plainInteger = /^(0|-?[1-9]\d{0,18})$/;

/** Plain decimal digits without leading zeros; anything else stays text, for the rules to refuse. */
export function integerFromText(text: string): number | string {
  return plainInteger.test(text) ? Number(text) : text;
}

/** The same, exact to the last digit. */
export function int64FromText(text: string): bigint | string {
  return plainInteger.test(text) ? BigInt(text) : text;
}
