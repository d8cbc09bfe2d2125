import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, superuserUrl } from '@petstore/embedded-postgres';
import { migrate } from '@petstore/migrate';
import type { TestProject } from 'vitest/node';
import { migrationsDirectory } from '../../src/platform/database/open-database.js';
import { createDatabase, type ScratchDatabase } from './scratch-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests may make databases of their own. */
    serverUrl: string;
    /** The name of a migrated database on it, to be cloned. */
    templateDatabase: string;
  }
}

/** Makes an embedded server, and on it and on the server that is given a migrated database for test files to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const embedded = await embeddedServer();
  const templates: ScratchDatabase[] = [];
  const close = async () => {
    for (const template of templates) await template.drop();
    await embedded.close();
  };
  try {
    const { templateDatabase } = project.getProvidedContext();
    for (const url of [embedded.url, process.env['TEST_DATABASE_URL']].filter((given) => given !== undefined)) {
      const template = await createDatabase(url, 'template0', templateDatabase);
      templates.push(template);
      await migrate(template.url, { directory: migrationsDirectory, log: () => undefined });
    }
    project.provide('serverUrl', embedded.url);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

async function embeddedServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  return {
    url: superuserUrl(server.url),
    close: async () => {
      await server.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
