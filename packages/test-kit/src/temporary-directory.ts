import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.js';

/** A directory that the cleanup deletes. */
export function temporaryDirectory(cleanup: Cleanup): Promise<string> {
  return cleanup.own(
    () => mkdtemp(join(tmpdir(), 'petstore-')),
    (directory) => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  );
}
