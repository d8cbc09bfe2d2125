import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, superuserUrl } from '@petstore/embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests create their databases. */
    serverUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-migrate-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  project.provide('serverUrl', superuserUrl(server.url));
  return async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  };
}
