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

// The text of an integer is its JSON.
const jsonMembers = Object.entries(newPetColumns).map(
  ([field, { name, type }]) => ` || coalesce(',"${field}":' || ${type === 'bigint' ? name : `to_json(${name})`}, '')`,
);

/**
 * The SQL expression for the JSON object of a row of `pet`, without members that are NULL. `json_agg` does the same, but
 * takes PostgreSQL a quarter longer for a page of 20.
 */
export const petJson = `'{"id":' || id${jsonMembers.join('')} || '}'`;
