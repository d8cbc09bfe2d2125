import type { NewPet } from '@petstore/contracts';

interface Column {
  /** Its name in the table `pet`. */
  name: string;
  type: string;
}

/**
 * The columns of a new pet, by their JSON names. The statements, the JSON and the idempotency fingerprint derive from this
 * list, in this order.
 */
const newPetColumns = {
  name: { name: 'name', type: 'text' },
  categoryId: { name: 'category_id', type: 'bigint' },
  status: { name: 'status', type: '"PetStatus"' },
} satisfies Record<keyof NewPet, Column>;

export const newPetFields = Object.keys(newPetColumns) as (keyof NewPet)[];
export const newPetColumnTypes = Object.values(newPetColumns).map(({ type }) => type);
export const newPetColumnNames = Object.values(newPetColumns)
  .map(({ name }) => name)
  .join(', ');
export const petColumnNames = `id, ${newPetColumnNames}`;

/** For a SELECT or RETURNING whose rows become JSON. */
export const jsonColumns = [
  'id',
  ...Object.entries(newPetColumns).map(([field, { name }]) => `${name} AS "${field}"`),
].join(', ');
