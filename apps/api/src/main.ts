import { setTimeout as sleep } from 'node:timers/promises';
import { backupPlan } from './backup-plan.js';
import { databaseRights } from './database-rights.js';
import { readCategories } from './features/categories/categories-file.js';
import { findMisspellings, readConfig } from './platform/config/config.js';
import { openDatabase } from './platform/database/open-database.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { createLogger, printer } from './platform/logging/logger.js';
import { limitHeapGrowth } from './platform/process/heap-growth.js';
import { stopSignal } from './platform/process/stop-signal.js';

limitHeapGrowth();

async function main(): Promise<void> {
  const stopped = stopSignal();
  const config = readConfig(process.env);
  // Before the database is migrated: an invalid file prevents the start.
  if (config.categoriesFile !== undefined) await readCategories(config.categoriesFile);
  const logger = createLogger(config);
  for (const warning of findMisspellings(process.env)) logger.warn(warning);
  const print = printer(config, logger);
  // PostgreSQL starts while Node loads the modules of the app, which takes most of the start.
  const [opened, loaded] = await Promise.allSettled([
    openDatabase(config, print, { rights: databaseRights, backup: backupPlan }),
    config.webConcurrency > 1 ? import('./serve-with-workers.js') : import('./serve.js'),
  ]);
  if (opened.status === 'rejected') {
    // Ctrl-C at a terminal also ends the programs that create and start the database.
    if (await Promise.race([stopped, sleep(100)])) return;
    throw opened.reason;
  }
  try {
    if (loaded.status === 'rejected') throw loaded.reason;
    const stopping = stopped.then(() => print('Stopping. Completing the accepted requests first.'));
    await loaded.value.serve({ config, database: opened.value, logger, print, isFirst: true }, stopping);
  } finally {
    await opened.value.close();
  }
  print('Stopped.');
}

await main().then(() => process.exit(0), explainAndExit);
