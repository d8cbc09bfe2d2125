import { join } from 'node:path';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { manage } from '@petstore/test-kit/program.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect } from 'vitest';
import { addAnimals, drill, figures, isQuick } from './drill.js';
import { WritingClients } from './writing-clients.js';

drill(
  'a backup of a million animals while clients write, restored and compared',
  { timeout: 1_200_000 },
  async ({ annotate, cleanup }) => {
    const animals = isQuick ? 20_000 : 1_000_000;
    const server = await PostgresServer.start(cleanup);
    const [source, target] = [server.url(), await server.createDatabase('restored')];
    const service = await TestService.start(cleanup, { DATABASE_URL: source });
    await addAnimals(server, animals);
    const file = join(await temporaryDirectory(cleanup), 'petstore.backup.gz');
    const clients = new WritingClients({ url: service.url, writers: 8 });
    await clients.nextAcknowledged();
    const before = [...clients.acknowledged.keys()];
    const backup = await run(['backup', file], source);
    const during = clients.writes.count - before.length;
    await clients.finish();
    await run(['migration', 'apply'], target);
    const restore = await run(['restore', file], target);

    const added = await server.query<{ id: string }>(`SELECT id FROM pet WHERE id > ${animals}`, 'restored');
    const ids = new Set(added.map(({ id }) => BigInt(id)));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    // The source has more: those that were added after the snapshot of the backup.
    const digest = (database: string) =>
      server.query(
        `SELECT count(*)::int AS animals, md5(string_agg(pet::text, ',' ORDER BY id)) AS digest FROM pet
         WHERE id <= ${animals} OR id = ANY('{${[...ids].join()}}')`,
        database,
      );
    const restored = await digest('restored');
    expect(restored).toMatchObject([{ animals: animals + ids.size }]);
    expect(restored).toEqual(await digest('petstore'));
    const times = { 'backup in ms': backup, 'restore in ms': restore };
    await annotate(figures({ animals, 'added during the backup': during, ...times }));
  },
);

/** Runs a command of the service. Returns the milliseconds that it took. */
async function run(args: string[], url: string): Promise<number> {
  const begin = performance.now();
  await manage(args, { DATABASE_URL: url });
  return performance.now() - begin;
}
