import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { backupPlan } from './backup-plan.js';
import { databaseRights } from './database-rights.js';
import { readCategories } from './features/categories/categories-file.js';
import { findMisspellings, readConfig } from './platform/config/config.js';
import { openDatabase } from './platform/database/open-database.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { createLogger, isPretty } from './platform/logging/logger.js';
import { stopSignal } from './platform/process/stop-signal.js';

// By default V8 lets the heap grow up to fourfold between full collections. Measured: 200 MB under load instead of 300.
setFlagsFromString('--heap-growing-percent=30');

async function main(): Promise<void> {
  const stopped = stopSignal();
  const config = readConfig(process.env);
  // Before the database is migrated: an invalid file prevents the start.
  if (config.categoriesFile !== undefined) await readCategories(config.categoriesFile);
  const logger = createLogger(config);
  for (const warning of findMisspellings(process.env)) logger.warn(warning);
  const print = (line: string) => (isPretty(config) ? console.log(line) : logger.info(line));
  // PostgreSQL starts while Node loads the modules of the app, which takes most of the start.
  const [opened, loaded] = await Promise.allSettled([
    openDatabase(config, print, { rights: databaseRights, backup: backupPlan }),
    import('./serve.js'),
  ]);
  if (opened.status === 'rejected') {
    // Ctrl-C at a terminal also ends the programs that create and start the database.
    if (await Promise.race([stopped, sleep(100)])) return;
    throw opened.reason;
  }
  try {
    if (loaded.status === 'rejected') throw loaded.reason;
    await loaded.value.serve({ config, database: opened.value, logger, print }, stopped);
  } finally {
    await opened.value.close();
  }
  print('Stopped.');
}

await main().then(() => process.exit(0), explainAndExit);
