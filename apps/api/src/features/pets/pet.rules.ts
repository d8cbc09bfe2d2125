import { int64, isInt64, type PetNameFault, petLimits, petNameFault } from '@petstore/contracts';
import { IsIn, ValidateBy, ValidateIf } from 'class-validator';

const nameFaults: Record<PetNameFault, string> = {
  empty: 'it is empty',
  tooLong: `it is longer than ${petLimits.nameMaxLength} code points`,
  blank: 'it is all white space',
  nul: 'it holds a NUL character',
  unpairedSurrogate: 'it holds half of a surrogate pair',
};

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
  const rule = `must be a string of ${petLimits.nameMinLength} to ${petLimits.nameMaxLength} Unicode code points, not all white space`;
  if (value === undefined) return `is missing, it ${rule}`;
  const fault = typeof value === 'string' ? petNameFault(value) : undefined;
  return fault ? `${rule}: ${nameFaults[fault]}` : rule;
}

/** An integer of 64 bits. class-validator's IsInt knows no bigint, and its Min and Max round. */
export function IsInt64(): PropertyDecorator {
  const rule = `must be an integer from ${int64.min} to ${int64.max}`;
  return ValidateBy({
    name: 'isInt64',
    validator: {
      validate: isInt64,
      defaultMessage: (args) => `$property ${args?.value === undefined ? 'is missing, it ' : ''}${rule}`,
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
