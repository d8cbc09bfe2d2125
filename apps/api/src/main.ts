import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { printable } from '@petstore/contracts';
import { parseIntoClientConfig } from 'pg-connection-string';
import { pino } from 'pino';
import { createApp } from './create-app.js';
import { databaseContent } from './database-content.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { provideKeys } from './features/api-keys/first-keys.js';
import { readCategoriesFile } from './features/categories/categories-file.js';
import { Clock } from './platform/clock.js';
import { type Config, readConfig } from './platform/config/config.js';
import { prepareBackupDirectory, scheduleOf } from './platform/database/backup/backup-directory.js';
import { BackupTimer } from './platform/database/backup/backup-timer.js';
import { type OpenDatabase, openDatabase } from './platform/database/open-database.js';
import { ConfigError, explainAndExit, explainSocket, explanationOf } from './platform/errors/startup-error.js';
import { Connections } from './platform/http/connections.js';
import { connectionLimit, httpLimits, openFilesLimit } from './platform/http/limits.js';
import { isPretty, Log } from './platform/logging/log.js';
import { createLogger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import { createMetricsServer } from './platform/metrics/metrics-server.js';
import { collectSources } from './platform/metrics/sources.js';
import { productVersion } from './platform/product.js';
import { waitForStopSignal } from './platform/stop-signals.js';

// By default V8 lets the heap grow up to fourfold between full collections. Measured: 200 MB under load instead of 300.
setFlagsFromString('--heap-growing-percent=30');

type StopSignal = Promise<NodeJS.Signals>;

/** How long the app may take to close after its last connection, for example if the database does not respond. */
const closeMs = 1000;

/** From fewer connections on, the start warns. */
const fewConnections = 1000;

async function main(): Promise<void> {
  const stop = waitForStopSignal();
  const config = readConfig(process.env);
  // These prevent the start, so they come before the database is created or migrated.
  if (config.categoriesFile !== undefined) await readCategoriesFile(config.categoriesFile);
  const openFiles = openFilesLimit();
  const maxConnections = connectionLimit(openFiles, config);
  await checkAddresses(config);
  const log = new Log(config);
  if (maxConnections < fewConnections) {
    log.logger.warn(
      `The limit of open files (ulimit -n) is ${openFiles}: only ${maxConnections} connections are accepted.`,
    );
  }
  try {
    await run(config, log, stop, maxConnections);
  } finally {
    await log.end();
  }
}

/** The service, from its start to its end. */
async function run(config: Config, log: Log, stop: StopSignal, maxConnections: number): Promise<void> {
  const { logger, print } = log;
  await prepareBackupDirectory(config, print);
  const { node } = process.versions;
  if (node.startsWith('20.')) logger.warn(`Node ${node} gets no security fixes. Use Node 22 or 24.`);
  let database: OpenDatabase | undefined;
  // Creating the database can take a minute.
  void stop.then(() => print(database ? 'Stopping. Completing the accepted requests first.' : 'Stopping.'));
  database = await open(config, log, stop);
  if (!database) return print('Stopped.');
  const backups = BackupTimer.start(config, { url: database.url, plan: databaseContent.plan }, logger);
  const { url: databaseUrl, directory: dataDirectory } = database;
  try {
    const limits = { maxConnections };
    const app = await createApp({ config, databaseUrl, dataDirectory, logger, clock: new Clock(), limits });
    try {
      await serve(app, { config, database, log, backups }, stop);
    } finally {
      // This also runs after a failed start, and before the database closes.
      await Promise.race([app.close(), sleep(closeMs)]);
    }
  } finally {
    backups?.stop();
    await database.close();
  }
  print('Stopped.');
}

/** Opens the database, unless the start is interrupted. */
async function open(config: Config, { logger, print }: Log, stop: StopSignal): Promise<OpenDatabase | undefined> {
  const stopping = new AbortController();
  void stop.then(() => stopping.abort());
  try {
    return await openDatabase(
      config,
      { print, warn: (text) => logger.warn(text), error: (text) => logger.error({ event: 'postgres_crashed' }, text) },
      databaseContent,
      stopping.signal,
    );
  } catch (error) {
    // Ctrl-C at a terminal also ends the programs that create and start the database.
    if (await Promise.race([stop, sleep(100)])) return undefined;
    throw error;
  }
}

interface Running {
  config: Config;
  database: OpenDatabase;
  log: Log;
  /** `undefined` without BACKUP_DIRECTORY. */
  backups: BackupTimer | undefined;
}

/** Serves until a request to stop, then completes the accepted requests. */
async function serve(app: NestFastifyApplication, running: Running, stop: StopSignal): Promise<void> {
  const { host, port, shutdownDelayMs, shutdownGraceMs } = running.config;
  const firstKey = await provideKeys(app, running);
  await app.listen({ port, host, backlog: httpLimits.backlog });
  const metricsServer = await startMetricsServer(app, running);
  printAddresses(app, running, firstKey);
  const signal = await stop;
  const connections = app.get(Connections);
  connections.startDraining();
  // A person who presses Ctrl-C waits for the end.
  if (signal !== 'SIGINT' || !process.stdout.isTTY) await sleep(shutdownDelayMs);
  await connections.close(shutdownGraceMs);
  metricsServer?.close();
}

async function startMetricsServer(
  app: NestFastifyApplication,
  { config: { metricsHost: host, metricsPort: port }, ...sources }: Running,
): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  const metrics = app.get(Metrics);
  const listKeys = () => app.get(ApiKeysService).list();
  collectSources(metrics, { ...sources, listKeys });
  return listen(createMetricsServer(metrics.registry), { host, port }, 'METRICS_');
}

function printAddresses(app: NestFastifyApplication, running: Running, firstKey: string | undefined): void {
  const { config, database, log } = running;
  const { print } = log;
  const url = addressToOpen(app, config);
  print('Petstore is ready.');
  print(`  Version   ${productVersion}`);
  print(`  Admin     ${url}`);
  print(`  API       ${url}/v1`);
  print(`  Docs      ${url}/docs`);
  print(`  Database  ${database.directory ? `embedded, in ${database.directory}` : placeOf(database.url)}`);
  printBackups(running);
  // Browsers do not send the part after "#".
  if (firstKey && process.stdout.isTTY) log.printText(`Open it with your key: ${url}/#key=${firstKey}`);
}

/** Names the database and its server or socket, without the user and the password. */
function placeOf(databaseUrl: string): string {
  const { database, host, port } = parseIntoClientConfig(databaseUrl);
  const server = port === undefined ? `${host}` : `${host}:${port}`;
  return printable(database ? `${database} on ${server}` : server);
}

function printBackups({ config, database, log: { print } }: Running): void {
  const schedule = scheduleOf(config);
  if (schedule) print(`  Backups   every ${config.backupEveryMinutes} minutes, in ${schedule.directory}`);
  else if (database.directory !== undefined)
    print('  Backups   none: set BACKUP_DIRECTORY to a directory, best on another disk');
}

/** The address to open: the public one, or the one on this machine. */
function addressToOpen(app: NestFastifyApplication, { host, publicBaseUrl }: Config): string {
  if (publicBaseUrl) return publicBaseUrl.replace(/\/v1$/, '');
  const { port } = app.getHttpServer().address() as { port: number };
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Rejects a host that is not of this machine, and a port that is in use. */
async function checkAddresses({ host, port, metricsHost, metricsPort }: Config): Promise<void> {
  const probe = await listen(createServer(), { host, port });
  probe.close();
  if (metricsPort === undefined) return;
  // Addresses such as 0.0.0.0 and 127.0.0.1 overlap.
  if (metricsPort === port) throw new ConfigError([`METRICS_PORT must not be the port of the API, ${port}`]);
  const metricsProbe = await listen(createServer(), { host: metricsHost, port: metricsPort }, 'METRICS_');
  metricsProbe.close();
}

/** `prefix` begins the names of the variables with the address. */
async function listen(
  server: Server,
  address: { host: string; port: number },
  prefix: '' | 'METRICS_' = '',
): Promise<Server> {
  try {
    await once(server.listen(address), 'listening');
    return server;
  } catch (error) {
    throw explainSocket(error as Error, prefix) ?? error;
  }
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
