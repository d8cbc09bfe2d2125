import { ExplainedError } from '@petstore/contracts';
import { withConnection } from './connection.js';
import { databaseRights } from './tables.js';

interface MissingRight {
  object: string;
  right: string;
  role: string;
}

const missingRights = `
  SELECT CASE "right" WHEN 'USAGE' THEN 'SEQUENCE ' || name ELSE name END AS object, "right", current_user AS role
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS required(name, "right", position)
  WHERE NOT CASE "right" WHEN 'USAGE' THEN has_sequence_privilege(name, "right") ELSE has_table_privilege(name, "right") END
  ORDER BY position`;

/**
 * Checks the rights of the role on a migrated database. Without this check at the start, only some requests would fail.
 * @throws ExplainedError with the statements that grant the missing rights, or if the server is a standby
 */
export async function checkRights(url: string): Promise<void> {
  const required = Object.entries(databaseRights).flatMap(([name, list]) => list.map((right) => ({ name, right })));
  const values = [required.map(({ name }) => name), required.map(({ right }) => right)];
  const { rows } = await withConnection(url, (client) => client.query<MissingRight>(missingRights, values));
  if (!rows[0]) return;
  const { role } = rows[0];
  const missing = rows.map(({ object, right }) => `${right} on ${object}`);
  const grants = rows.map(({ object, right }) => `  GRANT ${right} ON ${object} TO "${role.replaceAll('"', '""')}";`);
  throw new ExplainedError(
    `The database role "${role}" lacks rights: ${missing.join(', ')}. Run these statements as the owner of the tables, then ` +
      `restart. See docs/install.md, "A role for the service".\n${grants.join('\n')}`,
  );
}
