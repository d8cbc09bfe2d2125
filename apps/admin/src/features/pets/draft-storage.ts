import { defaultPetStatus, petStatuses } from '@petstore/contracts';
import { forgetTab, readTab, writeTab } from '../../shared/tab-storage.js';
import type { PetDraft } from './pet-rules.js';

const name = 'petstore.draft';

export const emptyDraft: PetDraft = { name: '', category: '', status: defaultPetStatus };

/** What was left in the form, over reloads; for the tab alone. */
export function storedDraft(): PetDraft | undefined {
  const { name: petName, category, status } = readTab(name) as Partial<Record<string, unknown>>;
  const known = petStatuses.find((value) => value === status);
  if (typeof petName !== 'string' || typeof category !== 'string' || !known) return undefined;
  return petName === '' && category === '' ? undefined : { name: petName, category, status: known };
}

export function storeDraft(draft: PetDraft): void {
  writeTab(name, draft);
}

export function forgetDraft(): void {
  forgetTab(name);
}
