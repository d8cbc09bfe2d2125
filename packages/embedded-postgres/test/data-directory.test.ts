import { stat } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { socketDirectory } from '../src/data-directory.js';
import { startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { query, silent, temporaryDataDir } from './temporary-data-dir.js';

it.each([
  ['a path that is too long for a socket', 'd'.repeat(90), /^\/tmp\/petstore-[0-9a-f]{12}$/],
  ['a path with a comma', 'a, b', /^\/tmp\/petstore-[0-9a-f]{12}$/],
  ['a path with many special characters', `Jörg's "data" & 50%/x`, /\/x\/socket$/],
])('a data directory with %s has a private socket at its URL', async (_, name, place) => {
  const dataDir = await temporaryDataDir(name);
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  onTestFinished(() => postgres.close());
  expect(socketDirectory(dataDir)).toMatch(place);
  expect((await stat(socketDirectory(dataDir))).mode & 0o777).toBe(0o700);
  expect(await query(postgres.url, 'SELECT current_user AS who')).toEqual([{ who: 'petstore' }]);
});
