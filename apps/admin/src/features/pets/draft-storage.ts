import { defaultPetStatus, type NewPet, petStatuses } from '@petstore/contracts';
import type { PetDraft } from './pet-rules.js';

/** One animal that is being added: all attempts at it carry the same idempotency key, so that it is added once. */
export interface Attempt {
  /** The animal, so that a changed one is another attempt. */
  animal: string;
  key: string;
}

const draftName = 'petstore.draft';
const attemptName = 'petstore.attempt';

export const emptyDraft: PetDraft = { name: '', category: '', status: defaultPetStatus };

/** What was left in the form, over reloads; for the tab alone. */
export function storedDraft(): PetDraft | undefined {
  const { name, category, status } = read(draftName) as Partial<Record<string, unknown>>;
  const known = petStatuses.find((value) => value === status);
  if (typeof name !== 'string' || typeof category !== 'string' || !known) return undefined;
  return name === '' && category === '' ? undefined : { name, category, status: known };
}

export function storeDraft(draft: PetDraft): void {
  write(draftName, draft);
}

/** The attempt at an animal: the one that was begun before, also before a reload, or a new one. */
export function attemptAt({ name, categoryId, status }: NewPet): Attempt {
  const animal = JSON.stringify([name, String(categoryId), status]);
  const before = read(attemptName) as Partial<Attempt>;
  const key = before.animal === animal && before.key ? before.key : randomKey();
  const attempt = { animal, key };
  write(attemptName, attempt);
  return attempt;
}

export function forgetDraft(): void {
  try {
    for (const name of [draftName, attemptName]) sessionStorage.removeItem(name);
  } catch {
    // Blocked storage: nothing was kept.
  }
}

/** Without `randomUUID`, which browsers keep for https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function read(name: string): object {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(name) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function write(name: string, value: object): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full or blocked storage: the form works, but its content does not outlast a reload.
  }
}
