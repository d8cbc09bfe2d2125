import {
  defaultPetStatus,
  type NewPet,
  type Pet,
  petLimits,
  petNameFault,
  type PetNameFault,
  type PetStatus,
} from '@petstore/contracts';
import { readTabState, removeTabState, writeTabState } from '../../shared/browser-storage.js';
import type { CategoryNames } from '../../shared/store-info.js';
import { validateCategory } from './category-input.js';

/** The values of the form, as text. */
export interface PetDraft {
  name: string;
  category: string;
  status: PetStatus;
}

export const emptyDraft: PetDraft = { name: '', category: '', status: defaultPetStatus };

const storageName = 'petstore.draft';

/** The unfinished form of this tab. */
export function readDraft(): PetDraft {
  return { ...emptyDraft, ...readTabState<PetDraft>(storageName) };
}

export const writeDraft = (draft: PetDraft) => writeTabState(storageName, draft);
export const removeDraft = () => removeTabState(storageName);

/** The next form starts with the category and status of this animal. A name that was begun stays. */
export function writeDraftLike({ categoryId, status }: Pet): void {
  writeDraft({ ...readDraft(), category: String(categoryId), status });
}

const invalidCharacter = "This name has a character that can't be saved";
const nameErrors: Record<PetNameFault, string> = {
  empty: 'Enter a name',
  blank: 'Enter a name',
  tooLong: `Names can have up to ${petLimits.nameMaxLength} characters`,
  nul: invalidCharacter,
  unpairedSurrogate: invalidCharacter,
};

/** Each returns what the person has to change, or `null`. */
export function draftRules(names: CategoryNames) {
  return { name: validateName, category: (text: string) => validateCategory(text, names) };
}

function validateName(name: string): string | null {
  const fault = petNameFault(name);
  return fault ? nameErrors[fault] : null;
}

/**
 * Has every field: a field that is added to the contracts does not compile until the form has it.
 * @throws TypeError without a category, which validation rules out.
 */
export function toNewPet({ name, status }: PetDraft, categoryId: bigint | undefined): Required<NewPet> {
  if (categoryId === undefined) throw new TypeError('The draft has no category.');
  return { name, categoryId, status };
}
