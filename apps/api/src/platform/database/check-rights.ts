import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'USAGE';

/** The rights that the service needs on each table and sequence. Sequences need `USAGE`. */
export type DatabaseRights = Readonly<Record<string, readonly Right[]>>;

/** @throws ExplainedError with the statements that grant the missing rights. */
export async function checkRights(client: pg.PoolClient, rights: DatabaseRights): Promise<void> {
  const required = Object.entries(rights).flatMap(([name, list]) => list.map((right) => ({ name, right })));
  const { rows } = await client.query<{ name: string; right: Right; role: string }>(
    `SELECT name, "right", current_user AS role
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS required(name, "right", position)
     WHERE CASE "right" WHEN 'USAGE' THEN has_sequence_privilege(to_regclass(name), "right")
       ELSE has_table_privilege(to_regclass(name), "right") END IS NOT TRUE
     ORDER BY position`,
    [required.map(({ name }) => name), required.map(({ right }) => right)],
  );
  const [first] = rows;
  if (!first) return;
  throw new ExplainedError(
    `The database role "${first.role}" lacks rights: ${rows.map(({ name, right }) => `${right} on ${name}`).join(', ')}. ` +
      'Run these statements as the owner of the tables, then restart. See docs/postgresql.md, "A role for the service".\n' +
      rows.map(({ name, right, role }) => grant(name, right, role)).join('\n'),
  );
}

function grant(name: string, right: Right, role: string): string {
  const object = right === 'USAGE' ? `SEQUENCE ${name}` : name;
  return `  GRANT ${right} ON ${object} TO "${role.replaceAll('"', '""')}";`;
}
