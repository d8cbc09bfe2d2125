import type { UseFormReturnType } from '@mantine/form';
import {
  defaultPetStatus,
  type Pet,
  petLimits,
  petNameFault,
  type PetNameFault,
  type PetStatus,
  trimName,
} from '@petstore/contracts';
import { readTabState, writeTabState } from '../../shared/browser-storage.js';
import type { CategoryNames } from '../../shared/store-info.js';
import { categoryLabel, readCategory, validateCategory } from '../../shared/category-input.js';
import type { Animal } from './create-pet.js';

/** The values of the form, as text. */
export interface PetDraft {
  name: string;
  category: string;
  status: PetStatus;
  /** How many animals to add. Several get numbered names. */
  count: string;
}

export const emptyDraft: PetDraft = { name: '', category: '', status: defaultPetStatus, count: '1' };

/** The form, and what acts on it. */
export interface DraftForm {
  form: UseFormReturnType<PetDraft>;
  focus: (field: keyof PetDraft) => void;
  submit: () => void;
}

const storageName = 'petstore.draft';

/** The unfinished form of this tab. */
export function readDraft(): PetDraft {
  return { ...emptyDraft, ...readTabState<PetDraft>(storageName) };
}

export function writeDraft(draft: PetDraft): void {
  writeTabState(storageName, draft);
}

/** The next form of this tab starts with the category and status of this animal. A name that was begun stays. */
export function rememberDraftLike({ categoryId, status }: Pick<Pet, 'categoryId' | 'status'>): void {
  writeDraft({ ...readDraft(), category: String(categoryId), status });
}

/** With the name of the category in place of its number. */
export function labelCategory(draft: PetDraft, names: CategoryNames): PetDraft {
  const id = readCategory(draft.category, names);
  return id === undefined ? draft : { ...draft, category: categoryLabel(id, names) };
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
  return {
    name: validateName,
    category: (text: string) => validateCategory(text, names),
    count: (text: string) => (readCount(text) === undefined ? `Enter a number from 1 to ${maxCount}` : null),
  };
}

/** The last name of a litter is the longest one. */
function validateName(name: string, draft: PetDraft): string | null {
  const fault = petNameFault(trimName(name)) ?? petNameFault(draftNames(draft).at(-1) ?? name);
  return fault ? nameErrors[fault] : null;
}

export const maxCount = 50;

function readCount(text: string): number | undefined {
  const count = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= maxCount ? count : undefined;
}

/** The name, or those of a litter: "Rex 1", "Rex 2" … */
export function draftNames({ name, count }: PetDraft): string[] {
  const size = readCount(count) ?? 1;
  const stored = trimName(name);
  if (size === 1) return [stored];
  return Array.from({ length: size }, (_, index) => `${stored} ${index + 1}`);
}

/**
 * Has every field: a field that is added to the contracts does not compile until the form has it.
 * @throws TypeError without a category, which validation rules out.
 */
export function toNewPets(
  draft: PetDraft,
  categories: CategoryNames,
  names: readonly string[] = draftNames(draft),
): Required<Animal>[] {
  const categoryId = readCategory(draft.category, categories);
  if (categoryId === undefined) throw new TypeError('The draft has no category.');
  return names.map((name) => ({ name, categoryId, status: draft.status }));
}

/** Returns the animals as a spreadsheet would copy them. */
export function tableOf(animals: readonly Required<Animal>[]): string {
  const rows = animals.map(({ name, categoryId, status }) => [toPastedCell(name), String(categoryId), status]);
  return [['name', 'category', 'status'], ...rows].map((row) => row.join('\t')).join('\n');
}

/** A spreadsheet puts a cell with several lines in quotation marks. */
function toPastedCell(text: string): string {
  return /[\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The category and status of the last animal. */
export function draftAfter(animal: Animal | undefined, names: CategoryNames): PetDraft {
  if (!animal) return emptyDraft;
  return { ...emptyDraft, category: categoryLabel(animal.categoryId, names), status: animal.status };
}

/** The form that leads to these animals. A field that is added to the draft does not compile until it is here. */
export function draftOf(animals: readonly Animal[], names: CategoryNames): PetDraft {
  const [first] = animals;
  const { category, status } = draftAfter(first, names);
  const name = animals.length > 1 ? first?.name.replace(/ \d+$/, '') : first?.name;
  return { name: name ?? '', category, status, count: String(animals.length) };
}
