import {
  int64,
  isInt64,
  type NewPet,
  type PetNameFault,
  petLimits,
  petNameFault,
  type PetStatus,
} from '@petstore/contracts';

/** An animal as it stands in the form. */
export interface PetDraft {
  name: string;
  category: string;
  status: PetStatus;
}

// The rules are those of the contract, and the words are the service's: a test holds the two together.
const nameFaults: Record<PetNameFault, string> = {
  empty: 'it is empty',
  tooLong: `it is longer than ${petLimits.nameMaxLength} code points`,
  blank: 'it is all white space',
  nul: 'it holds a NUL character',
  unpairedSurrogate: 'it holds half of a surrogate pair',
};
const nameRule = `must be a string of ${petLimits.nameMinLength} to ${petLimits.nameMaxLength} Unicode code points, not all white space`;
const categoryRule = `must be an integer from ${int64.min} to ${int64.max}`;

/** What is wrong with a name, or `null`. */
export function nameError(name: string): string | null {
  const fault = petNameFault(name);
  return fault ? `Name ${nameRule}: ${nameFaults[fault]}` : null;
}

/** What is wrong with a category number, or `null`. */
export function categoryError(text: string): string | null {
  if (text.trim() === '') return `Category number is missing, it ${categoryRule}`;
  return isInt64(categoryOf(text)) ? null : `Category number ${categoryRule}`;
}

/** @throws TypeError unless both rules find nothing. */
export function newPetOf({ name, category, status }: PetDraft): NewPet {
  const categoryId = categoryOf(category);
  if (categoryId === undefined) throw new TypeError('the category number is no integer');
  return { name, categoryId, status };
}

function categoryOf(text: string): bigint | undefined {
  return /^[+-]?\d+$/.test(text.trim()) ? BigInt(text.trim().replace('+', '')) : undefined;
}
