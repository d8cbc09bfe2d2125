import { readConfig } from '../platform/config/config.js';
import { locateDatabase } from '../platform/database/open-database.js';
import { createLogger, printer } from '../platform/logging/logger.js';
import { limitHeapGrowth, StopRequests } from '../platform/process.js';
import { firstArgument, readyMessage, skipDelayMessage, stopMessage } from './workers.js';
import { reportAndExit } from './report-failure.js';
import { serveApp } from './serve-app.js';

limitHeapGrowth();

/** One of the processes of WEB_CONCURRENCY. The process of main.ts starts it, and replaces it when it ends. */
async function main(): Promise<void> {
  const stop = new StopRequests();
  process.on('message', (message) => {
    if (message === stopMessage) stop.begin();
    if (message === skipDelayMessage) stop.skipDelay();
  });
  const config = readConfig(process.env);
  const logger = createLogger(config);
  const database = await locateDatabase(config);
  // A worker that replaces another one must not restore a revoked BOOTSTRAP_API_KEY.
  const isFirst = process.argv.includes(firstArgument);
  const onReady = () => void process.send?.(readyMessage);
  await serveApp({ config, database, logger, print: printer(config, logger), isFirst, onReady }, stop);
}

await main().then(() => process.exit(0), reportAndExit);
