import type { CreatePetOptions, NewPet } from '@petstore/client';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../src/check-file.js';
import { importPets } from '../src/import-pets.js';
import { fileOf } from './support/files.js';
import { clientWith, csvOf, importCsv, namesIn, numbered, rateLimited } from './support/imports.js';
import { MemoryJournal } from './support/memory-journal.js';
import { clientOf, newCategory, storedPets } from './support/service.js';

describe('an import', () => {
  it('creates each animal once, and a second run creates nothing', async () => {
    const categoryId = newCategory();
    const journal = new MemoryJournal();
    const csv = csvOf(categoryId, numbered(300));
    const first = await importCsv(csv, { journal });
    expect(first).toMatchObject({ created: 300, createdEarlier: 0, isComplete: true, failure: undefined });
    const second = await importCsv(csv, { journal });
    expect(second).toMatchObject({ created: 0, createdEarlier: 300, isComplete: true });
    expect(await namesIn(categoryId)).toEqual(numbered(300).toSorted());
    const ids = (await storedPets(categoryId)).map(({ id }) => id);
    for (const { outcomes } of [first, second]) {
      expect(outcomes.map((outcome) => outcome.state === 'created' && outcome.petId).toSorted(byValue)).toEqual(ids);
    }
  });

  it('creates nothing when a line is invalid, unless invalid lines are skipped', async () => {
    const categoryId = newCategory();
    const csv = `${csvOf(categoryId, ['Rex', 'Bella'])}\nMax,many\n`;
    const invalid: unknown[] = [];
    await checkFile(fileOf(csv), (line) => invalid.push(line));
    expect(invalid).toEqual([
      { line: 4, faults: [{ code: 'notNumber', field: 'categoryId', value: 'many' }], cells: ['Max', 'many'] },
    ]);
    await expect(importCsv(csv)).rejects.toThrow('Invalid lines: 1.');
    expect(await storedPets(categoryId)).toEqual([]);
    expect(await importCsv(csv, { skipInvalid: true })).toMatchObject({ created: 2, isComplete: true });
    expect(await namesIn(categoryId)).toEqual(['Bella', 'Rex']);
  });

  it('leaves out the lines that the first run chose, also when it continues', async () => {
    const [journal, categoryId] = [new MemoryJournal(), newCategory()];
    let asked = 0;
    const options = { journal, linesToSkip: async () => ((asked += 1) === 1 ? [2] : []) };
    const csv = csvOf(categoryId, ['Rex', 'Bella']);
    expect(await importCsv(csv, options)).toMatchObject({
      created: 1,
      skipped: 1,
      isComplete: true,
      failure: undefined,
    });
    expect(await importCsv(csv, options)).toMatchObject({ createdEarlier: 1, skipped: 1, isComplete: true });
    expect(await namesIn(categoryId)).toEqual(['Bella']);
  });

  it('sends no more lines at a time than allowed', async () => {
    let [running, most] = [0, 0];
    const client = clientWith((send) => {
      most = Math.max(most, (running += 1));
      return send().finally(() => (running -= 1));
    });
    await importCsv(csvOf(newCategory(), numbered(50)), { client, concurrency: 4 });
    expect(most).toBe(4);
  });
});

describe('an interrupted import', () => {
  it('continues after lost responses, and adds no animal twice', async () => {
    const categoryId = newCategory();
    const journal = new MemoryJournal();
    const csv = csvOf(categoryId, numbered(100));
    let sent = 0;
    const client = clientWith(async (send) => {
      const pet = await send();
      if ((sent += 1) > 40) throw new Error('The response was lost.');
      return pet;
    });
    const first = await importCsv(csv, { journal, client, concurrency: 8 });
    expect(first).toMatchObject({ created: 40, isComplete: false, failure: new Error('The response was lost.') });
    expect(first.interrupted).toBeGreaterThan(0);
    const second = await importCsv(csv, { journal });
    expect(second).toMatchObject({ createdEarlier: 40, created: 60, interrupted: 0, unknown: 0, isComplete: true });
    expect(await namesIn(categoryId)).toEqual(numbered(100).toSorted());
  });

  it('is stopped by the error of the service, also when it repeats a line', async () => {
    const categoryId = newCategory();
    const journal = new MemoryJournal();
    const csv = csvOf(categoryId, ['Rex']);
    const lost = clientWith(async (send) => {
      await send();
      throw new Error('The response was lost.');
    });
    const limited = clientWith(() => Promise.reject(rateLimited));
    const failure = rateLimited;
    const released = await importCsv(csv, { journal, client: limited });
    expect(released).toMatchObject({ interrupted: 0, failure });
    await importCsv(csv, { journal, client: lost });
    expect(await importCsv(csv, { journal, client: limited })).toMatchObject({ interrupted: 1, failure });
    expect(await importCsv(csv, { journal })).toMatchObject({ created: 1, isComplete: true });
    expect(await namesIn(categoryId)).toEqual(['Rex']);
  });

  it('finishes the running requests when its signal is aborted, and knows which lines were not sent', async () => {
    const categoryId = newCategory();
    const journal = new MemoryJournal();
    const csv = csvOf(categoryId, numbered(100));
    const controller = new AbortController();
    const options = { journal, concurrency: 4, signal: controller.signal };
    const first = await importCsv(csv, { ...options, onOutcome: () => controller.abort() });
    expect(first).toMatchObject({ created: 4, isComplete: false, failure: undefined });
    const finished = [...journal.lines('created'), ...journal.lines('released')];
    expect(finished.toSorted(byValue)).toEqual(journal.lines('sending'));
    // With another API key, because no line has an unknown result.
    expect(await importCsv(csv, { journal, apiKeyId: '2' })).toMatchObject({
      created: 96,
      createdEarlier: 4,
      unknown: 0,
    });
    expect(await namesIn(categoryId)).toEqual(numbered(100).toSorted());
  });

  it.for([
    [
      '23 hours later',
      { at: Date.now() - 23 * 3_600_000 },
      /^sent at .*, more than 23 hours ago, and no response arrived$/,
    ],
    ['with another API key', { apiKeyId: '9' }, /^sent with API key 9, and no response arrived$/],
  ] as const)('shows lines without a result %s, and never sends them again', async ([, change, reason]) => {
    const categoryId = newCategory();
    const journal = new MemoryJournal();
    const csv = csvOf(categoryId, numbered(3));
    await importCsv(csv, { journal });
    journal.stored = journal.stored
      .filter(({ type, line }) => type === 'sending' || line !== 3)
      .map((entry) => (entry.type === 'sending' ? { ...entry, ...change } : entry));
    for (let run = 0; run < 2; run += 1) {
      const { outcomes, ...result } = await importCsv(csv, { journal });
      expect(result).toMatchObject({ createdEarlier: 2, created: 0, unknown: 1, isComplete: true });
      expect(outcomes).toContainEqual({ state: 'unknown', line: 3, reason: expect.stringMatching(reason) as unknown });
    }
    expect(await storedPets(categoryId)).toHaveLength(3);
  });

  it('is one whose file changes between the check and the end', async () => {
    const categoryId = newCategory();
    const checked = await checkFile(fileOf(csvOf(categoryId, numbered(3))), () => undefined);
    const options = {
      client: clientOf(),
      serviceUrl: 'http://service/v1',
      apiKeyId: '1',
      journal: new MemoryJournal(),
    };
    const result = await importPets({ ...checked, source: fileOf(csvOf(categoryId, numbered(2))) }, options);
    expect(result).toMatchObject({ created: 2, isComplete: false, failure: { name: 'ImportError' } });
  });

  it('does not continue with another file or another service', async () => {
    const journal = new MemoryJournal();
    const csv = csvOf(newCategory(), ['Rex']);
    await importCsv(csv, { journal });
    await expect(importCsv(`${csv}\n`, { journal })).rejects.toThrow('The file has changed since this import began.');
    await expect(importCsv(csv, { journal, serviceUrl: 'http://other/v1' })).rejects.toThrow(
      /began with .*, not http:/,
    );
  });
});

describe('a request that the service rejects', () => {
  it('stops the import when the API key is invalid', async () => {
    const client = clientOf({ apiKey: 'a-key-that-does-not-exist' });
    const result = await importCsv(csvOf(newCategory(), numbered(200)), { client, concurrency: 2 });
    expect(result).toMatchObject({ created: 0, interrupted: 2, isComplete: false });
    expect(result.failure).toMatchObject({ code: 'invalid_api_key' });
  });

  it('is reported with the message of the service when only the animal is invalid, also by later runs', async () => {
    const categoryId = newCategory();
    const journal = new MemoryJournal();
    const real = clientOf();
    const client = {
      createPet: (pet: NewPet, options?: CreatePetOptions) =>
        real.createPet(pet.name === 'Bella' ? { ...pet, name: '' } : pet, options),
    };
    const csv = csvOf(categoryId, ['Rex', 'Bella', 'Max']);
    const outcome = { state: 'rejected', line: 3, reason: '`name` must not be empty.' };
    const first = await importCsv(csv, { journal, client });
    expect(first).toMatchObject({ created: 2, rejected: 1, isComplete: true });
    expect(first.outcomes).toContainEqual({ ...outcome, isEarlier: false });
    const second = await importCsv(csv, { journal, client });
    expect(second).toMatchObject({ created: 0, createdEarlier: 2, rejected: 1 });
    expect(second.outcomes).toContainEqual({ ...outcome, isEarlier: true });
    expect(await namesIn(categoryId)).toEqual(['Max', 'Rex']);
  });
});

function byValue(one: bigint | number | false, other: bigint | number | false): number {
  return one < other ? -1 : Number(one > other);
}
