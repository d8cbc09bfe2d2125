import { newPetFields } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import { listStatements } from '../../src/features/pets/pet-list.repository.js';
import { petJson, statements } from '../../src/features/pets/pets.repository.js';
import { addPet } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

/** The column of each field, such as `category_id` for `categoryId`. */
const newPetColumns = Object.fromEntries(
  newPetFields.map((field) => [field, field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
);
const petColumns = { id: 'id', ...newPetColumns };

const { create } = statements;

describe('the statements of the repositories', () => {
  it('of the lists read as in list-statements.sql', async () => {
    const texts = Object.entries(listStatements).map(
      ([name, sql]) => `-- ${name}${sql.replace(petJson, 'petJson')};\n`,
    );
    await expect(texts.join('\n')).toMatchFileSnapshot('list-statements.sql');
  });

  it('return every field of a pet', () => {
    for (const field of Object.keys(petColumns)) expect(petJson).toContain(`"${field}":`);
    for (const sql of Object.values({ ...statements, ...listStatements })) expect(sql).toContain(petJson);
  });

  it('create inserts every field of a new pet', () => {
    const columns = Object.values(petColumns).join(', ');
    expect(create).toContain(`INSERT INTO pet (${columns})\n    SELECT ${columns}\n`);
    expect(create).toContain(`AS value(${Object.values(newPetColumns).join(', ')}, `);
  });

  it('cover every column of the table except those that PostgreSQL fills', async () => {
    const rows = await service.sql(`SELECT column_name FROM information_schema.columns WHERE table_name = 'pet'`);
    const stored = rows.map(({ column_name: name }) => String(name));
    expect(stored.toSorted()).toEqual([...Object.values(petColumns), 'created_at', 'search_name'].toSorted());
  });

  it('keep working after ALTER TABLE pet ADD COLUMN, without the new column', async () => {
    const { id } = await addPet(service.api, { name: 'Bella' });
    await service.sql(`ALTER TABLE pet ADD COLUMN newer_column text`);
    await service.sql(`UPDATE pet SET newer_column = 'Beagle'`);
    const { text } = await service.api.get(`/v1/pets?id=${id}`);
    expect(text).toBe(`[{"id":${id},"name":"Bella","categoryId":7,"status":"available"}]`);
    expect((await addPet(service.api)).id).toBe(id + 1n);
  });
});
