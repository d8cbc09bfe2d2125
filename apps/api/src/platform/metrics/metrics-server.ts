import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { ExplainedError } from '@petstore/contracts';
import { Counter, Gauge, Registry } from 'prom-client';
import { withTimeout } from '../time-limit.js';
import type { Metrics } from './metrics.js';

interface Address {
  host: string;
  port: number;
}

/** What is read at each scrape. */
interface Sources {
  /** The scheduled backups. */
  backups: BackupStatus | undefined;
  /** An embedded one has a directory. */
  database: { readonly directory?: string; readonly crashes?: number };
  pool: Pool;
  /** By status. */
  countAnimals(): Promise<{ readonly available: bigint; readonly pending: bigint; readonly sold: bigint }>;
}

interface Pool {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Prometheus waits 10 s for everything. */
const queryTimeoutMs = 4000;

/**
 * Serves the metrics of this process.
 * @throws ExplainedError if the port is not available.
 */
export function serveMetrics({ registry }: Metrics, address: Address, sources: Sources): Promise<Server> {
  return listen(() => joined(registry.metrics(), sources), address);
}

interface BackupStatus {
  readonly failures: number;
  readonly schedule: { readonly everyMs: number; readonly directory: string };
  state(): Promise<{ lastCompleteAt: number | undefined; isSmaller: boolean }>;
}

async function joined(metrics: Promise<string>, sources: Sources): Promise<string> {
  const {
    backups,
    pool,
    database: { directory, crashes = 0 },
  } = sources;
  const registry = new Registry();
  const [text] = await Promise.all([
    metrics,
    backups && addBackups(registry, backups),
    // Its disk may be missing.
    backups && addDisk(registry, ['backup', 'BACKUP_DIRECTORY'], backups.schedule.directory).catch(() => undefined),
    directory !== undefined && addDisk(registry, ['data', 'DATA_DIR'], directory),
    // A database that does not respond leaves these out.
    withTimeout(addAnimals(registry, sources), queryTimeoutMs).catch(() => undefined),
    withTimeout(addSizes(registry, pool), queryTimeoutMs).catch(() => undefined),
  ]);
  if (directory !== undefined) addCrashes(registry, crashes);
  return `${text.trimEnd()}\n${await registry.metrics()}`;
}

async function addAnimals(registry: Registry, sources: Sources): Promise<void> {
  const { available, pending, sold } = await sources.countAnimals();
  const gauge = new Gauge({
    name: 'petstore_animals',
    help: 'Animals by status, at most 10 s old.',
    labelNames: ['status'],
    registers: [registry],
  });
  for (const [status, count] of Object.entries({ available, pending, sold })) gauge.set({ status }, Number(count));
}

/** The size of the log needs the role pg_monitor. PostgreSQL would log each statement that it rejects. */
async function addSizes(registry: Registry, pool: Pool): Promise<void> {
  const read = async (sql: string) => (await pool.query(sql)).rows[0]?.['value'];
  const add = async (name: string, help: string, sql: string) => {
    const bytes = Number(await read(sql));
    new Gauge({ name, help, registers: [registry] }).set(bytes);
  };
  await add(
    'petstore_database_size_bytes',
    'The size of the database.',
    'SELECT pg_database_size(current_database()) AS value',
  );
  if (!(await read(`SELECT has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS value`))) return;
  await add(
    'petstore_database_wal_bytes',
    'The size of the write-ahead log.',
    'SELECT sum(size) AS value FROM pg_ls_waldir()',
  );
}

async function addBackups(registry: Registry, backups: BackupStatus): Promise<void> {
  const registers = [registry];
  const { lastCompleteAt = 0, isSmaller } = await backups.state();
  new Gauge({
    name: 'petstore_backup_last_success_timestamp_seconds',
    help: 'The time of the newest backup that does not have fewer animals than an earlier one. 0: never.',
    registers,
  }).set(lastCompleteAt / 1000);
  new Gauge({
    name: 'petstore_backup_smaller',
    help: 'Whether the newest backup has fewer animals than an earlier one: 1 or 0. While it is 1, no backup is deleted.',
    registers,
  }).set(isSmaller ? 1 : 0);
  new Gauge({ name: 'petstore_backup_interval_seconds', help: 'BACKUP_EVERY_MINUTES.', registers }).set(
    backups.schedule.everyMs / 1000,
  );
  new Counter({
    name: 'petstore_backup_failures_total',
    help: 'Scheduled backups that failed since the start.',
    registers,
  }).inc(backups.failures);
}

function addCrashes(registry: Registry, crashes: number): void {
  new Counter({
    name: 'petstore_postgres_crashes_total',
    help: 'How often the embedded PostgreSQL stopped unexpectedly since the start. The service restarts it.',
    registers: [registry],
  }).inc(crashes);
}

async function addDisk(registry: Registry, [name, variable]: [string, string], directory: string): Promise<void> {
  const registers = [registry];
  const { bavail, blocks, bsize } = await statfs(directory);
  new Gauge({
    name: `petstore_${name}_directory_free_bytes`,
    help: `The free space of the disk with ${variable}.`,
    registers,
  }).set(bavail * bsize);
  new Gauge({
    name: `petstore_${name}_directory_size_bytes`,
    help: `The size of the disk with ${variable}.`,
    registers,
  }).set(blocks * bsize);
}

/** Serves `/metrics` without a key, on a separate port: only the monitoring must reach it. */
async function listen(read: () => Promise<string>, { host, port }: Address): Promise<Server> {
  const server = createServer(({ url, method, headers }, response) => {
    const isKnown = url === '/metrics' && (method === 'GET' || method === 'HEAD');
    if (isLoopback(host) && !namesAddress(headers.host)) response.writeHead(403).end();
    else if (isKnown) void send(response, read);
    else response.writeHead(404).end();
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const { message } = cause as Error;
    throw new ExplainedError(`Cannot serve metrics: ${message}. Set METRICS_PORT or METRICS_HOST to another value.`, {
      cause,
    });
  }
  return server;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Whether a `Host` header names an IP address or localhost. A page in a browser on this machine can reach the port under a
 * name of its own domain (DNS rebinding).
 */
function namesAddress(header = ''): boolean {
  const name = header.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(name) !== 0;
}

async function send(response: ServerResponse, read: () => Promise<string>): Promise<void> {
  try {
    const text = await read();
    const length = Buffer.byteLength(text);
    response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE, 'Content-Length': length }).end(text);
  } catch {
    // A process of the service ended meanwhile. Prometheus tries again at the next interval.
    response.writeHead(503).end();
  }
}
