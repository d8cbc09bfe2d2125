import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ownEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrations/migrate.js';
import { migrationsDirectory } from '../../src/platform/database/migrations/migration-files.js';
import { createDatabase } from './scratch-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests may make databases of their own. */
    serverUrl: string;
    /** The name of a migrated database on it, to be cloned. */
    templateDatabase: string;
  }
}

/** One server for all test files of a project, with one migrated database that each file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = project.name === 'server' ? givenServer() : await embeddedServer();
  const template = await createDatabase(server.url);
  await migrate(template.url, { directory: migrationsDirectory, log: () => undefined });
  project.provide('serverUrl', server.url);
  project.provide('templateDatabase', template.name);
  return async () => {
    await template.drop();
    await server.close();
  };
}

function givenServer() {
  return { url: process.env['TEST_DATABASE_URL'] ?? '', close: () => Promise.resolve() };
}

async function embeddedServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-test-'));
  const server = await ownEmbeddedPostgres({ dataDir, log: () => undefined });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
