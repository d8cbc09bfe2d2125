import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDirectory } from '@petstore/embedded-postgres';
import { migrate } from '@petstore/migrate';
import { Cleanup } from '@petstore/test-kit/cleanup.js';
import { createDatabase } from '@petstore/test-kit/database.js';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import type { TestProject } from 'vitest/node';
import { migrationsDirectory } from '../../src/platform/database/open-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests create databases. */
    serverUrl: string;
    /** The name of a migrated database on it, which tests copy. */
    templateDatabase: string;
    /** The directory of an empty cluster, which tests copy. */
    cluster: string;
  }
}

/** Tests do not need to survive a power cut. */
const withoutSync = ['fsync = off'];

async function createCluster(cleanup: Cleanup): Promise<string> {
  const dataDir = await temporaryDirectory(cleanup);
  const { cluster } = await prepareDirectory({ dataDir, log: () => undefined });
  await appendFile(join(cluster, 'postgresql.conf'), `\n${withoutSync.join('\n')}\n`);
  return cluster;
}

/** Starts one PostgreSQL server for all files, and creates the template database on it and on TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  try {
    project.provide('cluster', await createCluster(cleanup));
    const server = await PostgresServer.start(cleanup, withoutSync);
    const { templateDatabase } = project.getProvidedContext();
    for (const url of [server.url(), process.env['TEST_DATABASE_URL']].filter((given) => given !== undefined)) {
      const template = await cleanup.own(
        () => createDatabase(url, 'template0', templateDatabase),
        (created) => created.drop(),
      );
      await migrate(template.url, { directory: migrationsDirectory, log: () => undefined });
    }
    project.provide('serverUrl', server.url());
    return () => cleanup.run();
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
