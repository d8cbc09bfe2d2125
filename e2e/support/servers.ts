import { Cleanup } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { chooseSettings, ServiceProcess, type ServiceSettings } from '@petstore/processes/service-process.js';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './find-browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of the databases of the tests. */
    databaseServerUrl: string;
    /** The service of each worker. Each has a separate database. */
    services: ServiceSettings[];
    /** The path of a Chromium or Chrome. */
    browserPath: string;
  }
}

/** Starts one PostgreSQL server for all test files, and one service for each worker. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  try {
    project.provide('browserPath', findBrowser());
    const postgres = await PostgresServer.start(cleanup, ['fsync = off']);
    const services = Array.from({ length: project.vitest.config.maxWorkers }, (_, index) =>
      startService(cleanup, postgres, `petstore_${index + 1}`),
    );
    project.provide('databaseServerUrl', postgres.url());
    project.provide('services', await Promise.all(services));
    return () => cleanup.run();
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function startService(cleanup: Cleanup, postgres: PostgresServer, database: string): Promise<ServiceSettings> {
  const settings = await chooseSettings({ variables: { DATABASE_URL: await postgres.createDatabase(database) } });
  const service = await cleanup.own(
    () => Promise.resolve(new ServiceProcess(settings)),
    (created) => created.remove(),
  );
  await service.start();
  return settings;
}
