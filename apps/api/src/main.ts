import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { backupPlan, databaseRights } from './database-content.js';
import { readCategoriesFile } from './features/categories/categories-file.js';
import { type Config, findWarnings, readConfig } from './platform/config/config.js';
import { BackupTimer } from './platform/database/backup/backup-timer.js';
import { checkBackupDirectory } from './platform/database/backup/backup-directory.js';
import { openDatabase } from './platform/database/open-database.js';
import { ConfigError, explainAndExit, explainSocket, explanationOf } from './platform/errors/startup-error.js';
import { isPretty, Log } from './platform/logging/log.js';
import { createLogger } from './platform/logging/logger.js';
import { withProgramNames } from './platform/product.js';
import { StopRequests } from './platform/stop-signals.js';

// By default V8 lets the heap grow up to fourfold between full collections. Measured: 200 MB under load instead of 300.
setFlagsFromString('--heap-growing-percent=30');

async function main(): Promise<void> {
  const stop = new StopRequests();
  const config = readConfig(process.env);
  // Before the database is created or migrated: these prevent the start.
  if (config.categoriesFile !== undefined) await readCategoriesFile(config.categoriesFile);
  await checkAddresses(config);
  await checkBackupDirectory(config);
  const log = new Log(config);
  try {
    await run(config, log, stop);
  } finally {
    await log.end();
  }
}

/** The service, from its start to its end. */
async function run(config: Config, log: Log, stop: StopRequests): Promise<void> {
  const { logger, print } = log;
  for (const warning of findWarnings(process.env, config)) logger.warn(warning);
  const stopping = new AbortController();
  void stop.first.then(() => stopping.abort());
  // PostgreSQL starts while Node loads the modules of the app, which takes most of the start.
  const [opened, loaded] = await Promise.allSettled([
    openDatabase(
      config,
      { print, warn: (text) => logger.warn(text), error: (text) => logger.error({ event: 'postgres_crashed' }, text) },
      { rights: databaseRights, backup: backupPlan },
      stopping.signal,
    ),
    import('./serve-app.js'),
  ]);
  if (opened.status === 'rejected') {
    // Ctrl-C at a terminal also ends the programs that create and start the database.
    if (await Promise.race([stop.first, sleep(100)])) return;
    throw opened.reason;
  }
  const backups = BackupTimer.start(config, { url: opened.value.url, plan: backupPlan }, logger);
  try {
    if (loaded.status === 'rejected') throw loaded.reason;
    void stop.first.then(() => print('Stopping. Completing the accepted requests first.'));
    await loaded.value.serveApp({ config, database: opened.value, log, backups }, stop);
  } finally {
    backups?.stop();
    await opened.value.close();
  }
  print('Stopped.');
}

/** Rejects a host that is not of this machine, and a port that is in use. */
async function checkAddresses({ host, port, metricsHost, metricsPort }: Config): Promise<void> {
  await checkAddress(host, port);
  if (metricsPort === undefined) return;
  if (metricsPort === port && metricsHost === host) {
    throw new ConfigError([`METRICS_PORT must not be the port of the API, ${port}`]);
  }
  await checkAddress(metricsHost, metricsPort).catch((error: Error) => {
    throw explainSocket(error, 'METRICS_') ?? error;
  });
}

async function checkAddress(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
}

/** Reports why the service could not start, in the format of its log, and exits. The configuration may be the reason. */
function reportAndExit(error: unknown): never {
  const { LOG_FORMAT: format, BOOTSTRAP_API_KEY: bootstrapApiKey } = process.env;
  const isText = format === 'pretty' || (format !== 'json' && isPretty({}));
  if (isText) explainAndExit(error);
  const explained = explanationOf(error);
  const destination = pino.destination({ fd: 2, sync: true });
  const logger = createLogger({ logLevel: 'fatal', ...(bootstrapApiKey && { bootstrapApiKey }) }, destination);
  if (explained) logger.fatal(withProgramNames(explained.message));
  else logger.fatal({ err: error }, 'The service could not start.');
  process.exit(explained?.exitCode ?? 1);
}

await main().then(() => process.exit(0), reportAndExit);
