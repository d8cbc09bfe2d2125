import { readdir } from 'node:fs/promises';
import { migrate } from '@petstore/migrate';
import { expect, it, onTestFinished } from 'vitest';
import { migrationsDirectory } from '../../src/platform/database/open-database.js';
import { createEmptyDatabase, execute } from '../support/scratch-database.js';

it('the migrations of the service run in order in an empty database, and need no superuser, only its owner', async () => {
  const database = await createEmptyDatabase();
  const { name, url } = database;
  await execute(url, `CREATE ROLE ${name}`);
  onTestFinished(async () => {
    await execute(url, `REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name}; DROP ROLE ${name}`);
    await database.drop();
  });
  await execute(url, `ALTER DATABASE ${name} OWNER TO ${name}`);
  const owner = new URL(url);
  owner.searchParams.set('options', `-c role=${name}`);
  const role = await execute(owner.href, `SELECT current_user AS name, current_setting('is_superuser') AS super`);
  expect(role).toEqual([{ name, super: 'off' }]);
  const entries = await readdir(migrationsDirectory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const applied = await migrate(owner.href, { directory: migrationsDirectory, log: () => undefined });
  expect(applied).toEqual(names.toSorted());
  await execute(owner.href, `INSERT INTO pet (name, category_id) VALUES ('Réx', 7)`);
  expect(await execute(owner.href, 'SELECT search_name FROM pet')).toEqual([{ search_name: 'rex' }]);
});
