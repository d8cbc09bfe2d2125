import type { CreatePetOptions, NewPet } from '@petstore/client';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../src/check-file.js';
import { importPets } from '../src/import-pets.js';
import { fileOf } from './support/files.js';
import { clientWith, csvOf, importCsv, namesIn, numbered, rateLimited } from './support/imports.js';
import { MemoryJournal } from './support/memory-journal.js';
import { clientOf, newCategory } from './support/service.js';

describe('an import', () => {
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
