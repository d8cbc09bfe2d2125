import { ExplainedError } from '@petstore/contracts';
import { type SessionSettings, sessionSettings, withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';
import { DatabasePool, poolSettings } from './pool.js';

interface ConnectionCheck {
  url: string;
  statementTimeoutMs: number;
  rights: DatabaseRights;
}

/**
 * Checks the session settings and the rights of the role. Without this check at the start, only some requests would fail.
 * @throws ExplainedError
 */
export async function checkConnections({ url, statementTimeoutMs, rights }: ConnectionCheck): Promise<void> {
  const pool = new DatabasePool({ url, max: 1, statementTimeoutMs });
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    await checkSettings(client, { ...poolSettings(statementTimeoutMs), ...sessionSettings });
    await rejectMissing(client, rights);
  } catch (error) {
    throw error instanceof ExplainedError ? error : explain(error as Error);
  } finally {
    client?.release();
    await pool.end();
  }
}

function explain(error: Error): ExplainedError {
  if (error.message.includes('unsupported startup parameter')) {
    return new ExplainedError(
      `The connection pooler rejects the settings of the service: ${error.message}. For PgBouncer, set ` +
        'ignore_startup_parameters = options in pgbouncer.ini. See docs/install.md, "PgBouncer".',
      { cause: error },
    );
  }
  const message = `The check of the database connection failed: ${error.message}. Fix this, or correct DATABASE_URL.`;
  return new ExplainedError(message, { cause: error });
}

/**
 * Checks the settings in force: a connection pooler may drop those that the client sends.
 * @throws ExplainedError with the statements that set them for the role.
 */
async function checkSettings(client: pg.PoolClient, required: SessionSettings): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string; role: string }>(
    'SELECT name, setting, current_user AS role FROM pg_settings WHERE name = ANY($1)',
    [Object.keys(required)],
  );
  const inForce = new Map(rows.map(({ name, setting }) => [name, setting]));
  const wrong = Object.entries(required).filter(([name, value]) => !isInForce(name, value, inForce.get(name)));
  if (wrong.length === 0) return;
  const problems = wrong.map(([name, value]) => `${name} is ${inForce.get(name)}, not ${value}`);
  const role = rows[0]?.role.replaceAll('"', '""');
  const statements = wrong.map(([name, value]) => `  ALTER ROLE "${role}" SET ${name} = '${value}';`);
  throw new ExplainedError(
    `The database connection does not have the settings of the service: ${problems.join('; ')}. A connection pooler, or ` +
      'a parameter in DATABASE_URL, overrides them. Run these statements on the server, then restart the pooler. ' +
      `See docs/install.md, "PgBouncer".\n${statements.join('\n')}`,
  );
}

/** A shorter timeout is also acceptable; 0 means none. Lists may continue: `ISO, DMY` and `public, extensions`. */
function isInForce(name: string, value: string, actual = ''): boolean {
  if (name.endsWith('_timeout')) return Number(actual) > 0 && Number(actual) <= Number(value);
  return actual === value || actual.startsWith(`${value},`);
}

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'USAGE';

/** The rights that the service needs on each table and sequence. Sequences need `USAGE`. */
export type DatabaseRights = Readonly<Record<string, readonly Right[]>>;

/**
 * Checks all rights at once, for a role that lacks one of them.
 * @throws ExplainedError with the statements that grant the missing rights.
 */
export async function checkRights(url: string, rights: DatabaseRights): Promise<void> {
  const client = new pg.Client({ connectionString: withSessionSettings(url) });
  try {
    await client.connect();
    await rejectMissing(client, rights);
  } finally {
    await client.end();
  }
}

/** Without the right to use the schema, a role finds its tables only in the catalog. */
const missingRights = `
  WITH required AS (
    SELECT name, "right", position, coalesce(to_regclass(name)::oid, hidden.oid) AS object
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS list(name, "right", position)
    LEFT JOIN pg_class hidden ON relname = name AND relnamespace = to_regnamespace('public')
  )
  SELECT 'SCHEMA public' AS object, 'USAGE' AS "right", current_user AS role, 0 AS position
  WHERE current_schema() IS NULL
  UNION ALL
  SELECT CASE "right" WHEN 'USAGE' THEN 'SEQUENCE ' || name ELSE name END, "right", current_user, position
  FROM required
  WHERE CASE "right" WHEN 'USAGE' THEN has_sequence_privilege(object, "right")
    ELSE has_table_privilege(object, "right") END IS NOT TRUE
  ORDER BY position`;

async function rejectMissing(client: pg.ClientBase, rights: DatabaseRights): Promise<void> {
  const required = Object.entries(rights).flatMap(([name, list]) => list.map((right) => ({ name, right })));
  const { rows } = await client.query<{ object: string; right: Right; role: string }>(missingRights, [
    required.map(({ name }) => name),
    required.map(({ right }) => right),
  ]);
  const [first] = rows;
  if (!first) return;
  const role = first.role.replaceAll('"', '""');
  throw new ExplainedError(
    `The database role "${first.role}" lacks rights: ${rows.map(({ object, right }) => `${right} on ${object}`).join(', ')}. ` +
      'Run these statements as the owner of the tables, then restart. See docs/install.md, "A role for the service".\n' +
      rows.map(({ object, right }) => `  GRANT ${right} ON ${object} TO "${role}";`).join('\n'),
  );
}
