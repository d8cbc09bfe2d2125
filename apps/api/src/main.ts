import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { createApp } from './create-app.js';
import { provideKeys, showFirstKey } from './features/api-keys/first-keys.js';
import { readCategoriesFile } from './features/categories/categories-file.js';
import { Clock } from './platform/clock.js';
import { type Config, readConfig } from './platform/config/config.js';
import { prepareBackupDirectory } from './platform/database/backup/backup-directory.js';
import { scheduleBackups } from './platform/database/backup/backup-timer.js';
import { type OpenDatabase, openDatabase } from './platform/database/open-database.js';
import { explainAndExit, explanationOf } from './platform/errors/startup-error.js';
import { connectionLimit, httpLimits, openFilesLimit } from './platform/http/limits.js';
import { isPretty, Log } from './platform/logging/log.js';
import { createLogger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import { serveMetrics } from './platform/metrics/metrics-server.js';
import { productVersion } from './platform/product.js';
import { waitForStopSignal } from './platform/stop-signals.js';

// By default V8 lets the heap grow up to fourfold between full collections. Measured: 200 MB under load instead of 300.
setFlagsFromString('--heap-growing-percent=30');

/** How long the app may take to close after its last connection, for example if the database does not respond. */
const closeMs = 1000;

/** From fewer connections on, the start warns. */
const fewConnections = 1000;

async function main(): Promise<void> {
  const stop = waitForStopSignal();
  const config = readConfig(process.env);
  // These prevent the start, so they come before the database is created or migrated.
  if (config.categoriesFile !== undefined) await readCategoriesFile(config.categoriesFile);
  const maxConnections = connectionLimit(openFilesLimit(), config);
  const log = new Log(config);
  try {
    await prepareBackupDirectory(config, log.print);
    if (maxConnections < fewConnections) {
      log.logger.warn(`The limit of open files (ulimit -n) allows only ${maxConnections} connections.`);
    }
    const { node } = process.versions;
    if (node.startsWith('20.')) log.logger.warn(`Node ${node} gets no security fixes. Use Node 22 or 24.`);
    await run(config, log, stop, maxConnections);
    log.print('Stopped.');
  } finally {
    await log.end();
  }
}

/** Opens the database, serves until a request to stop, then completes the accepted requests. */
async function run(config: Config, log: Log, stop: Promise<NodeJS.Signals>, maxConnections: number): Promise<void> {
  const database = await open(config, log, stop);
  if (!database) return;
  const { url: databaseUrl } = database;
  const dataDirectory = config.databaseUrl === undefined ? config.dataDir : undefined;
  try {
    const limits = { maxConnections };
    const options = { config, databaseUrl, dataDirectory, logger: log.logger, clock: new Clock(), limits };
    const { app, connections } = await createApp(options);
    const metrics = app.get(Metrics);
    const stopBackups = scheduleBackups(config, databaseUrl, log.logger, metrics);
    try {
      await provideKeys(app, config, log);
      const crashes = 'How often the embedded PostgreSQL stopped unexpectedly. The service restarts it.';
      if (dataDirectory) metrics.total('petstore_postgres_crashes_total', crashes, () => database.crashes ?? 0);
      if (config.metricsPort !== undefined) await serveMetrics(metrics, config.metricsPort, config.metricsHost);
      await app.listen({ port: config.port, host: config.host, backlog: httpLimits.backlog });
      printAddresses(app, config, log, await showFirstKey(app, config, log));
      const signal = await stop;
      connections.startDraining();
      // A person who presses Ctrl-C waits for the end.
      if (signal !== 'SIGINT' || !process.stdout.isTTY) await sleep(config.shutdownDelayMs);
      await connections.close(config.shutdownGraceMs);
    } finally {
      // This also runs after a failed start, and before the database closes.
      stopBackups();
      await Promise.race([app.close(), sleep(closeMs)]);
    }
  } finally {
    await database.close();
  }
}

/** Opens the database, unless the start is interrupted: creating it can take a minute. */
async function open(
  config: Config,
  { logger, print }: Log,
  stop: Promise<NodeJS.Signals>,
): Promise<OpenDatabase | undefined> {
  const stopping = new AbortController();
  let isOpen = false;
  void stop.then(() => {
    stopping.abort();
    print(isOpen ? 'Stopping. Completing the accepted requests first.' : 'Stopping.');
  });
  const warn = (text: string) => logger.warn(text);
  const error = (text: string) => logger.error({ event: 'postgres_crashed' }, text);
  try {
    const database = await openDatabase(config, { print, warn, error }, stopping.signal);
    isOpen = true;
    return database;
  } catch (cause) {
    // Ctrl-C at a terminal also ends the programs that create and start the database.
    if (await Promise.race([stop, sleep(100)])) return undefined;
    throw cause;
  }
}

function printAddresses(app: NestFastifyApplication, config: Config, log: Log, firstKey: string | undefined): void {
  const { print } = log;
  const isEmbedded = config.databaseUrl === undefined;
  const url = addressToOpen(app, config);
  print('Petstore is ready.');
  print(`  Version   ${productVersion}`);
  print(`  Admin     ${url}`);
  print(`  API       ${url}/v1`);
  print(`  Docs      ${url}/docs`);
  print(`  Database  ${isEmbedded ? `embedded, in ${config.dataDir}` : 'PostgreSQL of DATABASE_URL'}`);
  const { backupDirectory, backupEveryMinutes } = config;
  if (backupDirectory) print(`  Backups   every ${backupEveryMinutes} minutes, in ${resolve(backupDirectory)}`);
  else if (isEmbedded) print('  Backups   none: set BACKUP_DIRECTORY to a directory, best on another disk');
  // Browsers do not send the part after "#".
  if (firstKey) log.printText(`Open it with your key: ${url}/#key=${firstKey}`);
}

/** The address to open: the public one, or the one on this machine. */
function addressToOpen(app: NestFastifyApplication, { host, publicBaseUrl }: Config): string {
  if (publicBaseUrl) return publicBaseUrl.replace(/\/v1$/, '');
  const { port } = app.getHttpServer().address() as { port: number };
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Reports why the service could not start, in the format of its log, and exits. The configuration may be the reason. */
function reportAndExit(error: unknown): never {
  const { LOG_FORMAT: format, BOOTSTRAP_API_KEY: bootstrapApiKey } = process.env;
  if (isPretty(format)) explainAndExit(error);
  const explained = explanationOf(error);
  const destination = pino.destination({ fd: 2, sync: true });
  const logger = createLogger({ logLevel: 'fatal', ...(bootstrapApiKey && { bootstrapApiKey }) }, destination);
  if (explained) logger.fatal(explained.message);
  else logger.fatal({ err: error }, 'The service could not start.');
  process.exit(explained?.exitCode ?? 1);
}

await main().then(() => process.exit(0), reportAndExit);
