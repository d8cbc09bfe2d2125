import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const create = () => mkdtemp(join(tmpdir(), 'petstore-test-'));
const remove = (path: string) => rm(path, { recursive: true });

/** Creates a directory for one test. */
export async function createFolder(): Promise<string> {
  const path = await create();
  onTestFinished(() => remove(path));
  return path;
}

/** Creates a directory for the tests of a file. */
export function useFolder(): { path: string } {
  const folder = { path: '' };
  beforeAll(async () => {
    folder.path = await create();
  });
  afterAll(() => remove(folder.path));
  return folder;
}
