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

const jsonMembers = Object.entries(newPetColumns).map(
  ([field, { name }]) => ` || coalesce(',"${field}":' || to_json(${name}), '')`,
);

/**
 * The SQL expression for the JSON object of a row of `pet`, without members that are NULL. `json_agg` does the same, but
 * takes PostgreSQL 18 µs longer for a page of 20: 10 % of the requests/s of mixed pages.
 */
export const petJson = `'{"id":' || to_json(id)${jsonMembers.join('')} || '}'`;
