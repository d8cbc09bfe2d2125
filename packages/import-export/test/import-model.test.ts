import type { NewPet, Pet } from '@petstore/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkFile } from '../src/check-file.js';
import type { ImportOptions } from '../src/import-options.js';
import { importPets } from '../src/import-pets.js';
import type { Journal } from '../src/journal.js';
import { fileOf } from './support/files.js';
import { MemoryJournal } from './support/memory-journal.js';

class Killed extends Error {}

/** A service that adds an animal once per idempotency key. */
class ModelStore {
  readonly pets: Pet[] = [];
  private readonly byKey = new Map<string, Pet>();

  create(newPet: NewPet, key: string): Pet {
    const existing = this.byKey.get(key);
    if (existing) return existing;
    const pet: Pet = { id: BigInt(this.pets.length + 1), status: 'available', ...newPet } as Pet;
    this.pets.push(pet);
    this.byKey.set(key, pet);
    return pet;
  }
}

/** A process that is killed at its n-th step. A step is a journal write or a request, and is done before the kill or not. */
class MortalProcess {
  private step = 0;

  constructor(
    private readonly killAt: number,
    private readonly isDone: boolean,
  ) {}

  /** After the kill, nothing that the process starts takes effect. */
  async take<Result>(effect: () => Result): Promise<Result> {
    this.step += 1;
    await Promise.resolve();
    if (this.step < this.killAt) return effect();
    if (this.step === this.killAt && this.isDone) effect();
    this.step = Math.max(this.step, this.killAt);
    throw new Killed();
  }
}

/** The journal as a process sees it. */
function journalOf(journal: MemoryJournal, process: MortalProcess): Journal {
  return {
    header: () => journal.header(),
    open: (header) => process.take(() => (journal.storedHeader ??= header)),
    entries: () => journal.entries(),
    append: (entries) => process.take(() => void journal.stored.push(...entries)),
  };
}

const names = Array.from({ length: 12 }, (_, index) => `Rex ${index}`);
const file = fileOf(['name,categoryId', ...names.map((name) => `${name},7`)].join('\n'), 100);

/** Runs the import until the process is killed or the import ends. Returns whether the import is complete. */
async function runOnce(store: ModelStore, journal: MemoryJournal, process: MortalProcess, concurrency: number) {
  const client: ImportOptions['client'] = {
    createPet: (pet, { idempotencyKey }) => process.take(() => store.create(pet, idempotencyKey)),
  };
  const checked = await checkFile(file, () => undefined);
  const options = {
    client,
    serviceUrl: 'http://model/v1',
    apiKeyId: '1',
    journal: journalOf(journal, process),
    concurrency,
  };
  const result = await importPets(checked, options).catch((error: unknown) => {
    if (error instanceof Killed) return undefined;
    throw error;
  });
  return result?.isComplete === true;
}

it('An import that is killed after any journal write or response, any number of times, adds each animal exactly once', async () => {
  const kills = fc.array(fc.record({ killAt: fc.integer({ min: 1, max: 18 }), isDone: fc.boolean() }), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(kills, fc.integer({ min: 1, max: 4 }), async (runs, concurrency) => {
      const [store, journal] = [new ModelStore(), new MemoryJournal()];
      for (const { killAt, isDone } of runs) {
        await runOnce(store, journal, new MortalProcess(killAt, isDone), concurrency);
        expect(new Set(store.pets.map(({ name }) => name)).size).toBe(store.pets.length);
      }
      expect(await runOnce(store, journal, new MortalProcess(Number.POSITIVE_INFINITY, false), concurrency)).toBe(true);
      expect(store.pets.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    }),
    { numRuns: 300 },
  );
});
