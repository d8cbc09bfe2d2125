import { newIdempotencyKey } from '@petstore/client';
import { type Pet, stringifyJson } from '@petstore/contracts';
import { checkFile } from '@petstore/import-export/check-file.js';
import { ImportError } from '@petstore/import-export/import-options.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import { whyNotRepeatable } from '@petstore/import-export/import-run.js';
import type { Journal, JournalEntry, JournalHeader } from '@petstore/import-export/journal.js';
import { blobSource } from '@petstore/import-export/source.js';
import { createStore, useSelector } from '@tanstack/react-store';
import { callWithKey, keyFingerprint } from '../../../shared/api.js';
import { readDeviceState, writeDeviceState } from '../../../shared/browser-storage.js';
import { createClient } from '../../../shared/client.js';
import { currentSession, onSessionChange } from '../../../shared/session.js';
import { PartlyAdded } from './create-pet.js';

type Animal = Omit<Pet, 'id'>;
type Created = Extract<JournalEntry, { type: 'created' }>;

/** Animals that this device adds one after the other, and how far it is. Stored before the first request. */
export interface Litter {
  /** Numbers as text: storage has no bigint. */
  animals: readonly (Omit<Animal, 'categoryId'> & { categoryId: string })[];
  header?: JournalHeader;
  /** The run that may write. A later run, also of another tab, replaces it. */
  owner?: string;
  /** The lines of `unclear` animals that the person has found in the list. */
  found?: readonly number[];
  entries: readonly (Exclude<JournalEntry, Created> | (Omit<Created, 'petId'> & { petId: string }))[];
}

const storageName = 'petstore.litter';
const store = createStore<{ litter: Litter | undefined }>({ litter: readLitter() });
addEventListener('storage', ({ key }) => {
  if (key === storageName) store.setState(() => ({ litter: readLitter() }));
});

export function useLitter(): Litter | undefined {
  return useSelector(store, ({ litter }) => litter);
}

/**
 * An animal of a litter and its outcome. One that was sent and has no answer is `unconfirmed`: it is sent again. One that
 * another API key has sent, or that was sent too long ago, is `unclear`: it could be added twice.
 */
export interface LitterRow {
  line: number;
  name: string;
  categoryId: string;
  state: 'added' | 'found' | 'unconfirmed' | 'unclear' | 'waiting' | 'refused';
  petId?: string;
}

/** `fingerprint` is the key that would send the animals. */
export function litterRows({ animals, found = [], entries }: Litter, fingerprint: string): LitterRow[] {
  const last = new Map(entries.map((entry) => [entry.line, entry]));
  return animals.map(({ name, categoryId }, index) => {
    const line = index + 1;
    const row = { line, name, categoryId };
    const entry = last.get(line);
    if (entry?.type === 'created') return { ...row, state: 'added', petId: entry.petId };
    if (entry?.type === 'rejected') return { ...row, state: found.includes(line) ? 'found' : 'refused' };
    if (entry?.type !== 'sending') return { ...row, state: 'waiting' };
    return { ...row, state: whyNotRepeatable(entry, fingerprint) === undefined ? 'unconfirmed' : 'unclear' };
  });
}

/** Keeps an `unclear` animal as added, or lets the next run add it. */
export function settleRow(line: number, isFound: boolean): void {
  const litter = currentLitter();
  if (isFound) {
    // A rejected line is not sent again.
    const entry = { type: 'rejected', line, reason: 'found in the list' } as const;
    writeLitter({ ...litter, found: [...(litter.found ?? []), line], entries: [...litter.entries, entry] });
  } else writeLitter({ ...litter, entries: [...litter.entries, { type: 'released', line }] });
}

/**
 * Adds the animals in their order. `onAdded` receives each one.
 * @throws PartlyAdded. `continueLitter` adds the others.
 */
export async function addLitter(animals: readonly Animal[], onAdded: (pet: Pet) => void): Promise<Pet[]> {
  writeLitter({
    animals: animals.map((animal) => ({ ...animal, categoryId: String(animal.categoryId) })),
    entries: [],
  });
  return continueLitter(onAdded);
}

/** As an import, whose journal makes sure that no animal is added twice. */
export async function continueLitter(onAdded: (pet: Pet) => void): Promise<Pet[]> {
  const animals = (store.state.litter?.animals ?? []).map(({ categoryId, ...animal }) => ({
    ...animal,
    categoryId: BigInt(categoryId),
  }));
  const added = new Map<number, Pet>();
  const note = (line: number, id: bigint) => {
    const animal = animals[line - 1];
    if (!animal) return;
    added.set(line, { ...animal, id });
    onAdded({ ...animal, id });
  };
  try {
    await sendAnimals(animals, note);
  } catch (cause) {
    throw new PartlyAdded(added.size, animals.length, cause);
  }
  if (added.size < animals.length) throw new PartlyAdded(added.size, animals.length);
  removeLitter();
  return [...added.values()];
}

async function sendAnimals(animals: readonly Animal[], onCreated: (line: number, id: bigint) => void): Promise<void> {
  const text = animals.map((animal) => stringifyJson(animal)).join('\n');
  const file = await checkFile(blobSource(new Blob([text])), () => undefined);
  const signedOut = new AbortController();
  const unsubscribe = onSessionChange(() => {
    if (!currentSession()) signedOut.abort();
  });
  try {
    await callWithKey(async (key) => {
      const journal = new LitterJournal();
      const { failure } = await importPets(file, {
        client: createClient(key),
        serviceUrl: `${location.origin}/v1`,
        apiKeyId: keyFingerprint(key),
        journal,
        // The numbers follow the order of the names.
        concurrency: 1,
        signal: signedOut.signal,
        onOutcome: (outcome) => {
          if (outcome.state !== 'created') return;
          const { line, petId, isEarlier } = outcome;
          if (!isEarlier) journal.noteCreated({ type: 'created', line, petId });
          onCreated(line, petId);
        },
      });
      if (failure) throw failure;
    });
  } finally {
    unsubscribe();
  }
}

/** Forgets the litter. The animals that were added stay. */
export function removeLitter(): void {
  writeLitter(undefined);
}

class LitterJournal implements Journal {
  private readonly owner = newIdempotencyKey();

  async header(): Promise<JournalHeader | undefined> {
    return currentLitter().header;
  }

  async open(header: JournalHeader): Promise<JournalHeader> {
    const litter = currentLitter();
    const stored = litter.header ?? header;
    writeLitter({ ...litter, header: stored, owner: this.owner });
    return stored;
  }

  async *entries(): AsyncGenerator<JournalEntry, void> {
    for (const entry of currentLitter().entries) {
      yield entry.type === 'created' ? { ...entry, petId: BigInt(entry.petId) } : entry;
    }
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    const litter = currentLitter();
    if (litter.owner !== this.owner) throw changedElsewhere();
    // `noteCreated` has stored the others.
    const added = entries.filter((entry) => entry.type !== 'created');
    writeLitter({ ...litter, entries: [...litter.entries, ...added] });
  }

  /** At once, not with the next entries: the page may be closed before. */
  noteCreated({ petId, ...entry }: Created): void {
    const litter = currentLitter();
    if (litter.owner !== this.owner) return;
    writeLitter({ ...litter, entries: [...litter.entries, { ...entry, petId: String(petId) }] });
  }
}

/** Another tab may have continued or removed it. Without storage, it is only in memory. */
function currentLitter(): Litter {
  const litter = readLitter() ?? store.state.litter;
  if (!litter) throw changedElsewhere();
  return litter;
}

function changedElsewhere(): ImportError {
  return new ImportError('These animals were continued or removed in another tab.');
}

function readLitter(): Litter | undefined {
  const stored = readDeviceState(storageName);
  return 'animals' in stored ? (stored as unknown as Litter) : undefined;
}

function writeLitter(litter: Litter | undefined): void {
  writeDeviceState(storageName, litter ?? {});
  store.setState(() => ({ litter }));
}
