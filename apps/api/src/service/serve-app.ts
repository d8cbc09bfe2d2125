import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { printable } from '@petstore/contracts';
import { createApp, Gate } from '../create-app.js';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import type { BackupTimer } from '../platform/database/backup/backup-timer.js';
import { scheduleOf } from '../platform/database/backup/scheduled-backup.js';
import { Connections } from '../platform/http/connections.js';
import { httpLimits } from '../platform/http/limits.js';
import { printLine } from '../platform/logging/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { serveMetrics } from '../platform/metrics/metrics-server.js';
import { productVersion, type StopRequests } from '../platform/process.js';
import { provideKeys, type StartOptions } from './first-keys.js';

/** How long the app may take to close after its last connection, for example if the database does not respond. */
const closeMs = 1000;

export interface ServeOptions extends StartOptions {
  /** Whether this process creates the first keys and prints the addresses: one of several does. */
  isFirst: boolean;
  /** In the first process, if there are scheduled backups. */
  backups?: BackupTimer | undefined;
  /** Called when this process serves requests. */
  onReady?: () => void;
}

/** Serves in this process until a request to stop, then completes the accepted requests. */
export async function serveApp(options: ServeOptions, stop: StopRequests): Promise<void> {
  const { config, database, logger } = options;
  const gate = new Gate();
  const app = await createApp({ config, databaseUrl: database.url, logger, clock: new Clock(), gate });
  try {
    await serve(app, { ...options, gate }, stop);
  } finally {
    // Also after a failed start, before the database closes.
    await Promise.race([app.close(), sleep(closeMs)]);
  }
}

async function serve(
  app: NestFastifyApplication,
  { gate, ...options }: ServeOptions & { gate: Gate },
  stop: StopRequests,
): Promise<void> {
  const { config, isFirst } = options;
  // Before the first key: a start that fails because its port is in use must not show a key that is never shown again.
  await app.listen({ port: config.port, host: config.host, backlog: httpLimits.backlog });
  const metricsServer = await startMetricsServer(app, options);
  const firstKey = isFirst ? await provideKeys(app, options) : undefined;
  gate.open();
  if (isFirst) printAddresses(app, options, firstKey);
  options.onReady?.();
  await stop.first;
  const { shutdownDelayMs: delayMs, shutdownGraceMs: graceMs } = config;
  await app.get(Connections).drain({ delayMs, graceMs, delay: (ms) => stop.delay(ms) });
  metricsServer?.close();
}

async function startMetricsServer(
  app: NestFastifyApplication,
  { config: { metricsHost: host, metricsPort: port }, backups, database }: ServeOptions,
): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  return serveMetrics(app.get(Metrics), { host, port }, { backups, dataDirectory: database.directory });
}

function printAddresses(app: NestFastifyApplication, options: ServeOptions, firstKey: string | undefined): void {
  const { config, database, logger, print } = options;
  const url = addressToOpen(app, config);
  print('Petstore is ready.');
  print(`  Version   ${productVersion}`);
  print(`  Admin     ${url}`);
  print(`  API       ${url}/v1`);
  print(`  Docs      ${url}/docs`);
  print(`  Database  ${database.directory ? `embedded, in ${database.directory}` : placeOf(database.url)}`);
  printBackups(options);
  if (config.webConcurrency > 1) print(`  Processes ${config.webConcurrency}`);
  // Browsers do not send the part after "#".
  if (firstKey && process.stdout.isTTY) printLine(logger, `Open it with your key: ${url}/#key=${firstKey}`);
}

/** Host and database of a URL, without its user and password. A URL can name a socket as the parameter `host`. */
export function placeOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  const name = decodeURIComponent(pathname.slice(1));
  const server = searchParams.get('host') ?? decodeURIComponent(host);
  return printable(name === '' ? server : `${name} on ${server}`);
}

function printBackups({ config, database, print }: ServeOptions): void {
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
