import { Cleanup } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { chooseSettings, ServiceProcess } from '@petstore/processes/service-process.js';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './find-browser.js';
import { launchArgs } from './browser-args.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server on which each test file creates its database. */
    databaseServerUrl: string;
    /** The browser that all test files share. */
    browserEndpoint: string;
    /** The path of a Chromium or Chrome. */
    browserPath: string;
  }
}

/** The migrated database that each test file copies. */
export const templateDatabase = 'petstore_template';

/** Starts one PostgreSQL server and one browser for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  try {
    const browserPath = findBrowser();
    const browser = await cleanup.own(
      () => chromium.launchServer({ executablePath: browserPath, args: launchArgs, host: '127.0.0.1' }),
      (launched) => launched.close(),
    );
    const postgres = await PostgresServer.start(cleanup, ['fsync = off']);
    await migrateTemplate(await postgres.createDatabase(templateDatabase));
    project.provide('browserPath', browserPath);
    project.provide('browserEndpoint', browser.wsEndpoint());
    project.provide('databaseServerUrl', postgres.url());
    return () => cleanup.run();
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** The service migrates a database when it starts. */
async function migrateTemplate(databaseUrl: string): Promise<void> {
  const service = new ServiceProcess(await chooseSettings({ variables: { DATABASE_URL: databaseUrl } }));
  try {
    await service.start();
  } finally {
    await service.remove();
  }
}
