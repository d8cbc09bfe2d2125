import { Cleanup } from '@petstore/test-kit/cleanup.js';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests create their databases. */
    serverUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  const server = await PostgresServer.start(cleanup, ['fsync = off']);
  project.provide('serverUrl', server.url());
  return () => cleanup.run();
}
