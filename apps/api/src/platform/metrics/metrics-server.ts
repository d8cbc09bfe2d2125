import cluster from 'node:cluster';
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { ExplainedError } from '@petstore/contracts';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { Metrics } from './metrics.js';

interface Address {
  host: string;
  port: number;
}

/** What only the first process knows: the others serve requests. */
export interface FirstProcess {
  /** Its scheduled backups. */
  backups: BackupStatus | undefined;
  /** The directory of the embedded database. */
  dataDirectory: string | undefined;
}

/**
 * Serves the metrics of this process. A worker lets the primary process read them instead.
 * @throws ExplainedError if the port is not available.
 */
export async function serveMetrics(
  { registry }: Metrics,
  address: Address,
  first: FirstProcess,
): Promise<Server | undefined> {
  if (!cluster.isWorker) return listen(() => joined(registry.metrics(), first), address);
  AggregatorRegistry.setRegistries([registry]);
  // Its constructor listens for the requests of the primary process.
  void new AggregatorRegistry();
  return undefined;
}

/**
 * Serves the metrics of all workers together: in the primary process, because a port reaches any one of the workers.
 * @throws ExplainedError if the port is not available.
 */
export function serveWorkerMetrics(address: Address, first: FirstProcess): Promise<Server> {
  const workers = new AggregatorRegistry();
  return listen(() => joined(workers.clusterMetrics(), first), address);
}

interface BackupStatus {
  readonly failures: number;
  readonly schedule: { readonly everyMs: number };
  /** In seconds. */
  lastSuccess(): Promise<number>;
}

async function joined(metrics: Promise<string>, { backups, dataDirectory }: FirstProcess): Promise<string> {
  const registry = new Registry();
  const [text] = await Promise.all([
    metrics,
    backups && addBackups(registry, backups),
    dataDirectory !== undefined && addDisk(registry, dataDirectory),
  ]);
  return `${text.trimEnd()}\n${await registry.metrics()}`;
}

async function addBackups(registry: Registry, backups: BackupStatus): Promise<void> {
  const registers = [registry];
  const lastSuccess = new Gauge({
    name: 'petstore_backup_last_success_timestamp_seconds',
    help: 'The time of the newest scheduled backup. 0: never.',
    registers,
  });
  lastSuccess.set(await backups.lastSuccess());
  new Gauge({ name: 'petstore_backup_interval_seconds', help: 'BACKUP_EVERY_MINUTES.', registers }).set(
    backups.schedule.everyMs / 1000,
  );
  new Counter({
    name: 'petstore_backup_failures_total',
    help: 'Scheduled backups that failed since the start.',
    registers,
  }).inc(backups.failures);
}

async function addDisk(registry: Registry, directory: string): Promise<void> {
  const registers = [registry];
  const { bavail, blocks, bsize } = await statfs(directory);
  new Gauge({
    name: 'petstore_data_directory_free_bytes',
    help: 'The free space of the disk with DATA_DIR.',
    registers,
  }).set(bavail * bsize);
  new Gauge({
    name: 'petstore_data_directory_size_bytes',
    help: 'The size of the disk with DATA_DIR.',
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
