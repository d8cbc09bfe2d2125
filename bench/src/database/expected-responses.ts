import type { PetStatus } from '@petstore/contracts';
import type { Client } from 'pg';

/** One page of the list, as a database query. */
export interface Page {
  status: PetStatus | undefined;
  limit: number;
  /** The page starts after this id. 0: the first page. */
  afterId: number;
}

interface Row {
  id: string;
  name: string;
  category_id: string;
  status: string;
}

/** The JSON of an animal after its id, with the members in the contract's order. */
export function afterId(animal: { name: string; categoryId: number | string; status: string }): string {
  const { name, categoryId, status } = animal;
  return `,"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}

/** The exact body that the list must return for a page. */
export async function expectedPage(client: Client, { status, limit, afterId: id }: Page): Promise<string> {
  const filter = status === undefined ? '' : `AND status = '${status}'`;
  const { rows } = await client.query<Row>(
    `SELECT id, name, category_id, status FROM pet WHERE id > $1 ${filter} ORDER BY id LIMIT $2`,
    [id, limit],
  );
  return `[${rows.map(toJson).join(',')}]`;
}

/** The exact body that a get must return for each id. */
export async function expectedAnimals(client: Client, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await client.query<Row>('SELECT id, name, category_id, status FROM pet WHERE id = ANY($1)', [ids]);
  return new Map(rows.map((row) => [Number(row.id), toJson(row)]));
}

function toJson({ id, name, category_id: categoryId, status }: Row): string {
  return `{"id":${id}${afterId({ name, categoryId, status })}`;
}
