import { int64, isInt64, type PetNameFault, petLimits, petNameFault } from '@petstore/contracts';
import { ValidateBy } from 'class-validator';

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
      defaultMessage: (args) => `name ${nameRule(args?.value)}`,
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
export function IsInt64(property = 'categoryId'): PropertyDecorator {
  const rule = `must be an integer from ${int64.min} to ${int64.max}`;
  return ValidateBy({
    name: 'isInt64',
    validator: {
      validate: isInt64,
      defaultMessage: (args) => (args?.value === undefined ? `${property} is missing, it ${rule}` : `${property} ${rule}`),
    },
  });
}

const plainDigits = /^(0|[1-9]\d*)$/;

/** Plain decimal digits without leading zeros; anything else stays text, for the rules to refuse. */
export function integerFromText(text: string): number | string {
  return plainDigits.test(text) && text.length <= 15 ? Number(text) : text;
}

export function int64FromText(text: string): bigint | string {
  const digits = text.startsWith('-') ? text.slice(1) : text;
  return plainDigits.test(digits) && text !== '-0' && text.length <= 20 ? BigInt(text) : text;
}
