import {
  defaultPetStatus,
  isInt64,
  type NewPet,
  petLimits,
  petNameFault,
  type PetNameFault,
  type PetStatus,
} from '@petstore/contracts';
import { readTabState, removeTabState, writeTabState } from '../../shared/browser-storage.js';

/** The values of the form, as text. */
export interface PetDraft {
  name: string;
  category: string;
  status: PetStatus;
}

export const emptyDraft: PetDraft = { name: '', category: '', status: defaultPetStatus };

const storageName = 'petstore.draft';

/** The unfinished form of this tab. */
export function readDraft(): PetDraft | undefined {
  const draft = { ...emptyDraft, ...readTabState<PetDraft>(storageName) };
  return draft.name || draft.category ? draft : undefined;
}

export const writeDraft = (draft: PetDraft) => writeTabState(storageName, draft);
export const removeDraft = () => removeTabState(storageName);

const invalidCharacter = "This name has a character that can't be saved";
const nameErrors: Record<PetNameFault, string> = {
  empty: 'Enter a name',
  blank: 'Enter a name',
  tooLong: `Names can have up to ${petLimits.nameMaxLength} characters`,
  nul: invalidCharacter,
  unpairedSurrogate: invalidCharacter,
};

export function validateName(name: string): string | null {
  const fault = petNameFault(name);
  return fault ? nameErrors[fault] : null;
}

export function validateCategory(text: string): string | null {
  if (text.trim() === '') return 'Enter a category number';
  const category = parseCategory(text);
  if (category === undefined) return 'Category must be a whole number';
  return isInt64(category) ? null : 'This category number is too long';
}

/** @throws TypeError when the category is not a whole number. */
export function toNewPet({ name, category, status }: PetDraft): NewPet {
  const categoryId = parseCategory(category);
  if (categoryId === undefined) throw new TypeError('The category is not a whole number');
  return { name, categoryId, status };
}

function parseCategory(text: string): bigint | undefined {
  return /^[+-]?\d+$/.test(text.trim()) ? BigInt(text.trim().replace('+', '')) : undefined;
}
