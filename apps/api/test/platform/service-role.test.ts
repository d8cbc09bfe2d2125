import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { restoreBackup } from '../../src/platform/database/backup/restore-backup.js';
import { writeBackup } from '../../src/platform/database/backup/write-backup.js';
import { databaseRights } from '../../src/platform/database/tables.js';
import { textOf } from '../support/backups.js';
import { createFolder } from '../support/folder.js';
import { execute, useDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';

const docs = readFileSync(join(import.meta.dirname, '../../../../docs/install.md'), 'utf8');
const documentedSql = /```sql\n(CREATE ROLE petstore_service .*?)```/s.exec(docs)?.[1] ?? '';

const database = useDatabase();
let role: string;
let roleUrl: string;

beforeAll(async () => {
  role = `${database.name}_role`;
  const url = new URL(database.url);
  url.username = role;
  roleUrl = url.href;
  // PostgreSQL grants some rights to every role by default.
  await execute(
    database.url,
    `REVOKE ALL ON DATABASE ${database.name} FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC`,
  );
  const sql = documentedSql
    .replaceAll('petstore_service', role)
    .replace('DATABASE petstore', `DATABASE ${database.name}`);
  await execute(database.url, sql);
});
afterAll(() => execute(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`));

/** The error of a start with this role and without the right to migrate, or an empty text. */
const roleError = () => startError(roleUrl, { MIGRATE_ON_START: 'false' });

describe('a role with the rights that docs/install.md lists', () => {
  // The services of the other tests have only the rights that the start checks.
  it('owns nothing, and is enough for a start', async () => {
    const current = await execute(roleUrl, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
    expect(current).toEqual([{ rolsuper: false }]);
    expect(await roleError()).toBe('');
  });

  it('is enough for a backup, with the sequences, but not for a restore', async () => {
    await execute(database.url, `INSERT INTO pet (name, category_id) VALUES ('Rex', 7)`);
    await execute(database.url, `INSERT INTO api_key (name, hash) VALUES ('till', '\\x01')`);
    const file = join(await createFolder(), 'petstore.backup.gz');
    await writeBackup(file, roleUrl);
    expect(await textOf(file)).toMatch(/"sequences":{"(?=.*pet_id_seq":"\d)(?=.*api_key_id_seq":"\d)/);
    const restore = restoreBackup(file, roleUrl);
    await expect(restore).rejects.toThrow(/permission denied .*\. Set DATABASE_URL to a URL of the owner/);
  });

  it('is rejected without its rights on tables and sequences, with the statement that grants each of them', async () => {
    // The check of the schema rejects a role that cannot read the migrations.
    const { _prisma_migrations: _migrations, ...rights } = databaseRights;
    const required = Object.entries(rights).flatMap(([name, list]) =>
      list.map((right) => ({ right, object: right === 'USAGE' ? `SEQUENCE ${name}` : name })),
    );
    const grants = required.map(({ right, object }) => `GRANT ${right} ON ${object} TO "${role}";`);
    for (const { right, object } of required) await execute(database.url, `REVOKE ${right} ON ${object} FROM ${role}`);
    const error = await roleError();
    await execute(database.url, grants.join('\n'));
    const list = required.map(({ right, object }) => `${right} on ${object}`).join(', ');
    expect(error).toContain(`ExplainedError: The database role "${role}" lacks rights: ${list}.`);
    expect(error).toContain('docs/install.md, "A role for the service"');
    expect(error.split('\n').slice(1)).toEqual(grants.map((statement) => `  ${statement}`));
    expect(await roleError()).toBe('');
  });

  it.each([
    ['USAGE', 'SCHEMA public', 'GRANT USAGE ON SCHEMA public TO'],
    ['SELECT', '_prisma_migrations', 'GRANT SELECT ON _prisma_migrations TO'],
  ])('is rejected without %s on %s, which the check of the schema needs', async (right, object, statement) => {
    await execute(database.url, `REVOKE ${right} ON ${object} FROM ${role}`);
    const error = await roleError();
    await execute(database.url, `GRANT ${right} ON ${object} TO ${role}`);
    expect(error).toContain(statement);
  });
});
