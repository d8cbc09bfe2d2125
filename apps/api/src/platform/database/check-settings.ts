import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';
import { type SessionSetting, sessionSettings } from './session-settings.js';

/**
 * Checks the settings in force: a connection pooler may drop those that the client sends.
 * @throws ExplainedError with the statements that set them for the role.
 */
export async function checkSettings(client: pg.PoolClient, statementTimeoutMs: number): Promise<void> {
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
