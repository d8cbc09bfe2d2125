import {
  int64Rule,
  isInt64,
  type NewPet,
  petNameFault,
  petNameFaults,
  petNameRule,
  type PetStatus,
} from '@petstore/contracts';

/** An animal as it stands in the form. */
export interface PetDraft {
  name: string;
  category: string;
  status: PetStatus;
}

/** What is wrong with a name, or `null`. */
export function nameError(name: string): string | null {
  const fault = petNameFault(name);
  return fault ? `Name ${petNameRule}: ${petNameFaults[fault]}` : null;
}

/** What is wrong with a category number, or `null`. */
export function categoryError(text: string): string | null {
  if (text.trim() === '') return `Category number is missing, it ${int64Rule}`;
  return isInt64(categoryOf(text)) ? null : `Category number ${int64Rule}`;
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
