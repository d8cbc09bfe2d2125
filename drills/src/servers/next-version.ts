import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Copies the built service, with one more migration. Returns the path of its program. */
export async function buildNextVersion(cleanup: Cleanup, migration: string, sql: string): Promise<string> {
  const directory = await temporaryDirectory(cleanup);
  for (const path of ['apps/api/package.json', 'apps/api/dist', 'prisma/migrations']) {
    await cp(join(repository, path), join(directory, path), { recursive: true });
  }
  const folder = join(directory, 'prisma/migrations', migration);
  await mkdir(folder);
  await writeFile(join(folder, 'migration.sql'), `${sql};\n`);
  return join(directory, 'apps/api/dist/main.js');
}
