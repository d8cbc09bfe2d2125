import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PetstoreClient } from '@petstore/client';
import { apiKey, TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folder, run } from './support/command.js';

let service: TestService;
beforeAll(async () => {
  const CATEGORIES_FILE = join(folder, 'categories.csv');
  writeFileSync(CATEGORIES_FILE, '12,2024\n13,2025\n14,14\n');
  service = await TestService.prepare({ CATEGORIES_FILE });
  await service.start();
  // The service counts animals at most every 10 s.
  await client().createPet({ name: 'Max', categoryId: 2025n });
});
afterAll(() => service.remove());

const client = () => new PetstoreClient({ baseUrl: `${service.url}/v1`, apiKey });

/** Imports an animal with this category. Returns the result, and the animals of the categories that it can mean. */
async function importAnimal(name: string, category: string) {
  const variables = { PETSTORE_URL: service.url, PETSTORE_API_KEY: apiKey };
  const result = await run(['import', '-'], { variables, input: `name,categoryId\n${name},${category}\n` });
  const { pets } = await client().listPets({ q: name });
  return { ...result, categories: pets.map(({ categoryId }) => categoryId) };
}

it('a cell that is exactly the name of a category means it, also if the name has only digits', async () => {
  expect(await importAnimal('Rex', '2024')).toMatchObject({ code: 0, categories: [12n] });
  expect(await importAnimal('Bella', '14')).toMatchObject({ code: 0, categories: [14n] });
});

it('a cell that is also the number of a category with animals needs an answer, and takes it', async () => {
  const { code, stderr, categories } = await importAnimal('Mia', '2025');
  const fault = 'The store has a category 2025, and category 13 has the name “2025”.';
  expect({ code, categories }).toEqual({ code: 3, categories: [] });
  expect(stderr).toBe(`Row 2: invalid: ${fault} Write “category 2025” or “category 13”.\n`);
  expect(await importAnimal('Leo', 'category 2025')).toMatchObject({ code: 0, categories: [2025n] });
  expect(await importAnimal('Mia', 'category 13')).toMatchObject({ code: 0, categories: [13n] });
});
