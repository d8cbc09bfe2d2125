import { newPetFields } from '@petstore/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statements } from '../../src/features/pets/pets.repository.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** The column of each field, such as `category_id` for `categoryId`. */
const newPetColumns = Object.fromEntries(
  newPetFields.map((field) => [field, field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
);
const petColumns = { id: 'id', ...newPetColumns };

const { create, ...reads } = statements;

describe('the statements of the pets repository', () => {
  it.each(Object.entries(reads))('%s returns every field of a pet', (_name, sql) => {
    for (const field of Object.keys(petColumns)) expect(sql).toContain(`"${field}":`);
  });

  it('create inserts every field of a new pet, and returns every field of a pet', () => {
    const columns = Object.values(petColumns).join(', ');
    expect(create).toContain(`INSERT INTO pet (${columns})\n    SELECT ${columns}\n`);
    expect(create).toContain(`AS value(${Object.values(newPetColumns).join(', ')}, `);
    for (const field of Object.keys(petColumns)) expect(create).toContain(`"${field}":`);
  });

  it('cover every column of the table except the time of the insert', async () => {
    const rows = await service.sql(`SELECT column_name FROM information_schema.columns WHERE table_name = 'pet'`);
    const stored = rows.map(({ column_name: name }) => String(name));
    expect(stored.toSorted()).toEqual([...Object.values(petColumns), 'created_at'].toSorted());
  });

  it('write the JSON that JSON.stringify writes', async () => {
    const pet = { name: '"\\\b\u{1f600}/\u2028<é', categoryId: -7, status: 'sold' };
    const created = await service.api.post('/v1/pets', pet);
    const { id } = created.json as { id: bigint };
    const json = JSON.stringify({ id: Number(id), ...pet });
    expect(created.text).toBe(json);
    expect((await service.api.get(`/v1/pets/${id}`)).text).toBe(json);
    for (const query of ['', '?order=desc', '?status=sold', '?status=sold&order=desc']) {
      expect((await service.api.get(`/v1/pets${query}`)).text).toBe(`[${json}]`);
    }
  });
});
