import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attachEmbeddedPostgres } from '@petstore/embedded-postgres';
import { runProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../support/scratch-database.js';
import { TestService } from '../support/test-service.js';

describe('a migration of the embedded database', () => {
  let service: TestService;
  const apply = () => runProgram('migration.js', ['apply'], service.variables);

  beforeAll(async () => {
    service = await TestService.prepareWithSchema();
    const database = await attachEmbeddedPostgres({ dataDir: service.dataDir, log: () => undefined });
    await execute(database.url, `INSERT INTO pet (name, category_id) VALUES ('Rex', 7)`);
    await execute(database.url, 'DELETE FROM _prisma_migrations');
    await database.close();
  });
  afterAll(() => service.remove());

  it('does not run when the backup before it fails', async () => {
    await writeFile(join(service.dataDir, 'backups'), '');
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The creation of .*backups failed: EEXIST/)]);
    await rm(join(service.dataDir, 'backups'));
  });

  it('runs after a backup', async () => {
    const { stdout } = await apply();
    const path = /^Backing up the database to (\S+\/backups\/before-\d+_init\.backup\.gz) before/m.exec(stdout)?.[1];
    expect((await runProgram('backup.js', ['--verify', String(path)], {})).code).toBe(0);
  });
});
