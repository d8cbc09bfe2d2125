import { setTimeout as sleep } from 'node:timers/promises';
import { backupPlan, databaseRights } from '../database-content.js';
import { readCategoriesFile } from '../features/categories/categories-file.js';
import { findMisspellings, readConfig } from '../platform/config/config.js';
import { BackupTimer } from '../platform/database/backup/backup-timer.js';
import { checkBackupDirectory } from '../platform/database/backup/scheduled-backup.js';
import { openDatabase } from '../platform/database/open-database.js';
import { createLogger, printer } from '../platform/logging/logger.js';
import { limitHeapGrowth, StopRequests } from '../platform/process.js';
import { checkPorts } from './check-port.js';
import { reportAndExit } from './report-failure.js';
import type { serveApp } from './serve-app.js';

limitHeapGrowth();

async function main(): Promise<void> {
  const stop = new StopRequests();
  const config = readConfig(process.env);
  // Before the database is migrated: an invalid file prevents the start.
  if (config.categoriesFile !== undefined) await readCategoriesFile(config.categoriesFile);
  await checkPorts(config);
  await checkBackupDirectory(config);
  const logger = createLogger(config);
  for (const warning of findMisspellings(process.env)) logger.warn(warning);
  const print = printer(config, logger);
  const stopping = new AbortController();
  void stop.first.then(() => stopping.abort());
  // PostgreSQL starts while Node loads the modules of the app, which takes most of the start.
  const [opened, loaded] = await Promise.allSettled([
    openDatabase(
      config,
      { print, warn: (text) => logger.warn(text) },
      { rights: databaseRights, backup: backupPlan },
      stopping.signal,
    ),
    loadServe(config.webConcurrency),
  ]);
  if (opened.status === 'rejected') {
    // Ctrl-C at a terminal also ends the programs that create and start the database.
    if (await Promise.race([stop.first, sleep(100)])) return;
    throw opened.reason;
  }
  const backups = BackupTimer.start(config, logger);
  try {
    if (loaded.status === 'rejected') throw loaded.reason;
    void stop.first.then(() => print('Stopping. Completing the accepted requests first.'));
    await loaded.value({ config, database: opened.value, logger, print, backups, isFirst: true }, stop);
  } finally {
    await backups?.stop();
    await opened.value.close();
  }
  print('Stopped.');
}

/** With one process, the modules of the app; with several, only those that start the others. */
async function loadServe(processes: number): Promise<typeof serveApp> {
  if (processes > 1) return (await import('./workers.js')).serveWithWorkers;
  return (await import('./serve-app.js')).serveApp;
}

await main().then(() => process.exit(0), reportAndExit);
