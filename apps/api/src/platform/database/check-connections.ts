import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import { checkPooler } from './check-pooler.js';
import { createPool, type SessionSetting, sessionSettings } from './pool.js';

interface ConnectionCheck {
  url: string;
  statementTimeoutMs: number;
  rights: DatabaseRights;
}

/**
 * Checks at the start what would otherwise fail for some requests only: the session settings, the connection pooler if
 * there is one, and the rights of the role.
 * @throws ExplainedError
 */
export async function checkConnections({ url, statementTimeoutMs, rights }: ConnectionCheck): Promise<void> {
  const pool = createPool({ url, max: 2, statementTimeoutMs });
  const clients: pg.PoolClient[] = [];
  const connect = async () => {
    const client = await pool.connect();
    clients.push(client);
    return client;
  };
  try {
    const client = await connect();
    await checkSettings(client, statementTimeoutMs);
    await checkPooler(client, connect);
    await checkRights(client, rights);
  } catch (error) {
    throw error instanceof ExplainedError ? error : explain(error as Error);
  } finally {
    for (const client of clients) client.release();
    await pool.end();
  }
}

function explain(error: Error): ExplainedError {
  if (error.message.includes('unsupported startup parameter')) {
    return new ExplainedError(
      `The connection pooler rejects the settings of the service: ${error.message}. For PgBouncer, set ` +
        'ignore_startup_parameters = options in pgbouncer.ini. See docs/postgresql.md, "PgBouncer".',
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
async function checkSettings(client: pg.PoolClient, statementTimeoutMs: number): Promise<void> {
  const required = sessionSettings(statementTimeoutMs);
  const { rows } = await client.query<{ name: string; setting: string; role: string }>(
    'SELECT name, setting, current_user AS role FROM pg_settings WHERE name = ANY($1)',
    [required.map(({ name }) => name)],
  );
  const inForce = new Map(rows.map(({ name, setting }) => [name, setting]));
  const wrong = required.filter((setting) => !isInForce(setting, inForce.get(setting.name)));
  if (wrong.length === 0) return;
  const problems = wrong.map(({ name, value }) => `${name} is ${inForce.get(name)}, not ${value}`);
  const role = rows[0]?.role.replaceAll('"', '""');
  const statements = wrong.map(({ name, value }) => `  ALTER ROLE "${role}" SET ${name} = '${value}';`);
  throw new ExplainedError(
    `The database connection does not have the settings of the service: ${problems.join('; ')}. A connection pooler, or ` +
      'a parameter in DATABASE_URL, overrides them. Run these statements on the server, then restart the pooler. ' +
      `See docs/postgresql.md, "PgBouncer".\n${statements.join('\n')}`,
  );
}

function isInForce({ value, isTimeout }: SessionSetting, actual = ''): boolean {
  return isTimeout ? Number(actual) > 0 && Number(actual) <= Number(value) : actual === value;
}

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'USAGE';

/** The rights that the service needs on each table and sequence. Sequences need `USAGE`. */
export type DatabaseRights = Readonly<Record<string, readonly Right[]>>;

/** @throws ExplainedError with the statements that grant the missing rights. */
async function checkRights(client: pg.PoolClient, rights: DatabaseRights): Promise<void> {
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
