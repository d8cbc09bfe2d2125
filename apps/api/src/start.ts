import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from './platform/config/config.js';
import { openDatabase } from './platform/database/open-database.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { createLogger } from './platform/logging/logger.js';
import { stopSignal } from './platform/process/stop-signal.js';

async function main(): Promise<void> {
  const stopped = stopSignal();
  const config = readConfig(process.env);
  const logger = createLogger(config);
  // A person gets sentences, a log collector what it can parse.
  const say = (line: string) => (process.stdout.isTTY ? console.log(line) : logger.info(line));
  // PostgreSQL starts while the modules of the app are loaded, which is most of a start.
  const [opened, loaded] = await Promise.allSettled([openDatabase(config, say), import('./serve.js')]);
  if (opened.status === 'rejected') {
    // Ctrl-C at a terminal also ends the programs that make and start the database.
    if (await Promise.race([stopped, sleep(100)])) return;
    throw opened.reason;
  }
  try {
    if (loaded.status === 'rejected') throw loaded.reason;
    await loaded.value.serve({ config, database: opened.value, logger, say }, stopped);
  } finally {
    await opened.value.close();
  }
  say('Stopped.');
}

await main().then(() => process.exit(0), explainAndExit);
