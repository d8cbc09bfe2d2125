import { stat } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { socketFolder } from '../../../src/platform/database/embedded/data-folder.js';
import { ownEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { query, silent, temporaryDataDir } from './data-dir.js';

it.each([
  ['a path longer than a socket may have', 'd'.repeat(90), /^\/tmp\/petstore-[0-9a-f]{12}$/],
  ['a path with a comma', 'a, b', /^\/tmp\/petstore-[0-9a-f]{12}$/],
  ['a path of many other signs', `Jörg's "data" & 50%/x`, /\/x\/socket$/],
])('a data folder with %s has a private socket that its URL leads to', async (_, name, place) => {
  const dataDir = await temporaryDataDir(name);
  const postgres = await ownEmbeddedPostgres({ dataDir, log: silent });
  onTestFinished(() => postgres.close());
  expect(socketFolder(dataDir)).toMatch(place);
  expect((await stat(socketFolder(dataDir))).mode & 0o777).toBe(0o700);
  expect(await query(postgres.url, 'SELECT current_user AS who')).toEqual([{ who: 'petstore' }]);
});
