import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect } from 'vitest';
import { addAnimals, drill, figures, isQuick } from './drill.js';
import { WritingClients } from './writing-clients.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

drill(
  'a million animals, an upgrade to a version with one more migration and back, old and new side by side under load',
  { timeout: 300_000 },
  async ({ annotate, cleanup }) => {
    const server = await PostgresServer.start(cleanup);
    const variables = { DATABASE_URL: server.url() };
    const [killed, kept] = [await TestService.start(cleanup, variables), await TestService.start(cleanup, variables)];
    const animals = isQuick ? 20_000 : 1_000_000;
    await addAnimals(server, animals);
    const digest = () =>
      server.query(`SELECT count(*)::int AS animals, md5(string_agg(concat_ws(',', id, name, category_id, status, created_at),
        ',' ORDER BY id)) AS digest FROM pet WHERE id <= ${animals}`);
    const before = await digest();
    expect(before).toMatchObject([{ animals }]);
    const main = await buildNextVersion(await temporaryDirectory(cleanup));
    let services = [killed, kept];
    const clients = new WritingClients({ url: (index) => services[index % services.length]?.url ?? '', writers: 16 });
    const phaseMs = isQuick ? 500 : 5000;
    await sleep(phaseMs);

    const begin = performance.now();
    const next = await TestService.start(cleanup, variables, { command: [process.execPath, main] });
    const readyMs = performance.now() - begin;
    services = [killed, kept, next];
    expect(await digest()).toEqual(before);
    await sleep(phaseMs);

    services = [kept, next];
    await killed.end('SIGKILL');
    killed.output = '';
    await killed.start();
    expect(killed.output).toContain(
      `newer than this version of the service, which does not know the migrations ${migration}`,
    );
    services = [killed, kept, next];
    await sleep(phaseMs);

    services = [killed, kept];
    await next.end('SIGTERM');
    await sleep(phaseMs);
    await clients.audit(kept.url);
    const { count, longestGapMs } = clients.writes;
    await annotate(figures({ animals: animals + count, 'ready after ms': readyMs, 'longest gap in ms': longestGapMs }));
  },
);

const migration = '99990101000000_add_column';

/** Copies the built service, with one more migration. Returns the path of its program. */
async function buildNextVersion(directory: string): Promise<string> {
  for (const path of ['apps/api/package.json', 'apps/api/dist', 'prisma/migrations']) {
    await cp(join(repository, path), join(directory, path), { recursive: true });
  }
  const folder = join(directory, 'prisma/migrations', migration);
  await mkdir(folder);
  await writeFile(join(folder, 'migration.sql'), 'ALTER TABLE pet ADD COLUMN newer_column text;\n');
  return join(directory, 'apps/api/dist/main.js');
}
