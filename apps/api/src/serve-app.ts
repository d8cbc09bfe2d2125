import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { printable } from '@petstore/contracts';
import { createApp } from './create-app.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { provideKeys, type StartOptions } from './features/api-keys/first-keys.js';
import { CategoriesService } from './features/categories/categories.service.js';
import { Clock } from './platform/clock.js';
import type { Config } from './platform/config/config.js';
import type { BackupTimer } from './platform/database/backup/backup-timer.js';
import { scheduleOf } from './platform/database/backup/backup-directory.js';
import { DatabasePool } from './platform/database/pool.js';
import { Connections } from './platform/http/connections.js';
import { httpLimits } from './platform/http/limits.js';
import { Metrics } from './platform/metrics/metrics.js';
import { serveMetrics } from './platform/metrics/metrics-server.js';
import { collectSources } from './platform/metrics/sources.js';
import { productVersion } from './platform/product.js';
import type { StopRequests } from './platform/stop-signals.js';

/** How long the app may take to close after its last connection, for example if the database does not respond. */
const closeMs = 1000;

interface ServeOptions extends StartOptions {
  /** If there are scheduled backups. */
  backups: BackupTimer | undefined;
}

/** Serves until a request to stop, then completes the accepted requests. */
export async function serveApp(options: ServeOptions, stop: StopRequests): Promise<void> {
  const {
    config,
    database,
    log: { logger },
  } = options;
  const { url: databaseUrl, directory: dataDirectory } = database;
  const app = await createApp({ config, databaseUrl, dataDirectory, logger, clock: new Clock() });
  try {
    await serve(app, options, stop);
  } finally {
    // Also after a failed start, before the database closes.
    await Promise.race([app.close(), sleep(closeMs)]);
  }
}

async function serve(app: NestFastifyApplication, options: ServeOptions, stop: StopRequests): Promise<void> {
  const { host, port, shutdownDelayMs, shutdownGraceMs } = options.config;
  const firstKey = await provideKeys(app, options);
  await app.listen({ port, host, backlog: httpLimits.backlog });
  const metricsServer = await startMetricsServer(app, options);
  printAddresses(app, options, firstKey);
  await stop.first;
  const connections = app.get(Connections);
  connections.startDraining();
  await stop.delay(shutdownDelayMs);
  await connections.close(shutdownGraceMs);
  metricsServer?.close();
}

async function startMetricsServer(
  app: NestFastifyApplication,
  { config: { metricsHost: host, metricsPort: port }, log, backups, database }: ServeOptions,
): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  const pool = app.get(DatabasePool);
  const countAnimals = () => app.get(CategoriesService).countByStatus();
  const metrics = app.get(Metrics);
  const listKeys = () => app.get(ApiKeysService).list();
  collectSources(metrics, { log, backups, database, pool, countAnimals, listKeys });
  return serveMetrics(metrics.registry, { host, port });
}

function printAddresses(app: NestFastifyApplication, options: ServeOptions, firstKey: string | undefined): void {
  const { config, database, log } = options;
  const { print } = log;
  const url = addressToOpen(app, config);
  print('Petstore is ready.');
  print(`  Version   ${productVersion}`);
  print(`  Admin     ${url}`);
  print(`  API       ${url}/v1`);
  print(`  Docs      ${url}/docs`);
  print(`  Database  ${database.directory ? `embedded, in ${database.directory}` : placeOf(database.url)}`);
  printBackups(options);
  // Browsers do not send the part after "#".
  if (firstKey && process.stdout.isTTY) log.printText(`Open it with your key: ${url}/#key=${firstKey}`);
}

/** Host and database of a URL, without its user and password. A URL can name a socket as the parameter `host`. */
function placeOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  const name = decodeURIComponent(pathname.slice(1));
  const server = searchParams.get('host') ?? decodeURIComponent(host);
  return printable(name === '' ? server : `${name} on ${server}`);
}

function printBackups({ config, database, log: { print } }: ServeOptions): void {
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
