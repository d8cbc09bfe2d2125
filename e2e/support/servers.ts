import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cleanup } from '@petstore/test-kit/cleanup.js';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './find-browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of the databases of the tests. */
    databaseServerUrl: string;
    /** The variables of the service of each worker. Each has a separate database and CATEGORIES_FILE. */
    services: Record<string, string>[];
    /** The path of a Chromium or Chrome. */
    browserPath: string;
    /** The options of V8 in the browser, separated by spaces. The configuration of Vitest sets them. */
    jsFlags: string;
  }
}

/** Starts one PostgreSQL server for all test files, and one service for each worker. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  try {
    project.provide('browserPath', findBrowser());
    const folder = await cleanup.own(
      () => mkdtemp(join(tmpdir(), 'petstore-categories-')),
      (path) => rm(path, { recursive: true }),
    );
    const postgres = await PostgresServer.start(cleanup, ['fsync = off']);
    const services = Array.from({ length: project.vitest.config.maxWorkers }, async (_, index) => {
      const database = await postgres.createDatabase(`petstore_${index + 1}`);
      const categories = join(folder, `${index + 1}.csv`);
      await writeFile(categories, '');
      const variables = { DATABASE_URL: database, CATEGORIES_FILE: categories };
      return (await TestService.start(cleanup, variables)).variables;
    });
    project.provide('databaseServerUrl', postgres.url());
    project.provide('services', await Promise.all(services));
    return () => cleanup.run();
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
