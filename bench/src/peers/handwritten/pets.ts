import { Pool, types } from 'pg';
import { databaseUrl, poolMax } from '../environment.js';

export interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status: string;
}

export interface PageQuery {
  status?: string;
  limit: number;
  after: number;
}

// pg returns int8 as text by default.
types.setTypeParser(types.builtins.INT8, Number);

// By default PostgreSQL plans each page again although it is prepared, which takes longer than reading it.
const options = '-c plan_cache_mode=force_generic_plan';
const pool = new Pool({ connectionString: databaseUrl, max: poolMax, options });
const columns = 'id, name, category_id AS "categoryId", status';

/** A named statement is prepared once per connection. */
const statements = {
  page: { name: 'page', text: `SELECT ${columns} FROM pet WHERE id > $1 ORDER BY id LIMIT $2` },
  pageOfStatus: {
    name: 'page_of_status',
    // With "status = $1", PostgreSQL scans the primary key and filters the other statuses.
    text: `SELECT ${columns} FROM pet WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3`,
  },
  find: { name: 'find', text: `SELECT ${columns} FROM pet WHERE id = $1` },
  insert: {
    name: 'insert',
    text: `INSERT INTO pet (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${columns}`,
  },
} as const;

export async function page({ status, limit, after }: PageQuery): Promise<Pet[]> {
  const query =
    status === undefined
      ? { ...statements.page, values: [after, limit] }
      : { ...statements.pageOfStatus, values: [status, after, limit] };
  return (await pool.query<Pet>(query)).rows;
}

export async function find(id: number): Promise<Pet | undefined> {
  return (await pool.query<Pet>({ ...statements.find, values: [id] })).rows[0];
}

export async function insert({ name, categoryId, status }: Omit<Pet, 'id'>): Promise<Pet | undefined> {
  return (await pool.query<Pet>({ ...statements.insert, values: [name, categoryId, status] })).rows[0];
}

export function close(): Promise<void> {
  return pool.end();
}
