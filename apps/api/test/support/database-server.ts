import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDirectory } from '@petstore/embedded-postgres';
import { migrate } from '@petstore/migrate';
import { Cleanup } from '@petstore/test-kit/cleanup.js';
import { createDatabase, execute } from '@petstore/test-kit/database.js';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import type { TestProject } from 'vitest/node';
import { migrationsDirectory } from '../../src/platform/database/open-database.js';
import { databaseRights } from '../../src/platform/database/tables.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests create databases. */
    serverUrl: string;
    /** The name of a migrated database on it, which tests copy, and of a role with the rights of `databaseRights` on it. */
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

/** What the service needs on its tables and sequences. */
function grantsTo(role: string): string {
  const grants = Object.entries(databaseRights).map(([name, rights]) => {
    const object = rights.includes('USAGE') ? `SEQUENCE ${name}` : name;
    return `GRANT ${rights.join(', ')} ON ${object} TO ${role};`;
  });
  return grants.join('\n');
}

async function createTemplate(cleanup: Cleanup, serverUrl: string, name: string): Promise<void> {
  const { password } = new URL(serverUrl);
  await cleanup.own(
    () => execute(serverUrl, `CREATE ROLE ${name} LOGIN PASSWORD '${decodeURIComponent(password)}'`),
    () => execute(serverUrl, `DROP ROLE ${name}`),
  );
  const template = await cleanup.own(
    () => createDatabase(serverUrl, 'template0', name),
    (created) => created.drop(),
  );
  await migrate(template.url, { directory: migrationsDirectory, log: () => undefined });
  await execute(template.url, grantsTo(name));
}

/** Starts one PostgreSQL server for all files, and creates the template database on it and on TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  try {
    project.provide('cluster', await createCluster(cleanup));
    const server = await PostgresServer.start(cleanup, withoutSync);
    const { templateDatabase } = project.getProvidedContext();
    for (const url of [server.url(), process.env['TEST_DATABASE_URL']].filter((given) => given !== undefined)) {
      await createTemplate(cleanup, url, templateDatabase);
    }
    project.provide('serverUrl', server.url());
    return () => cleanup.run();
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
