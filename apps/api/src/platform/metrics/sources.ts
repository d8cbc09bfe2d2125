import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics } from 'prom-client';
import { withTimeout } from '../time-limit.js';
import type { Metrics } from './metrics.js';

/** The database connections, as `DatabasePool` provides them. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
  /** Rejects when the database does not respond. */
  ping(): Promise<void>;
}

interface Database {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
}

interface BackupStatus {
  readonly failures: number;
  readonly schedule: { readonly everyMs: number; readonly directory: string };
  readonly isSmaller: boolean;
  /** In milliseconds since 1970. */
  latestTime(): Promise<number | undefined>;
}

interface Sources {
  log: { readonly dropped: number };
  /** The scheduled backups. */
  backups: BackupStatus | undefined;
  /** An embedded one has a directory. */
  database: { readonly directory?: string; readonly crashes?: number };
  pool: Database;
  /** By status. */
  countAnimals: () => Promise<{ readonly available: bigint; readonly pending: bigint; readonly sold: bigint }>;
}

/** Adds the connections of the pool, and whether the database responds. */
export function collectPool(metrics: Metrics, pool: Pool): void {
  metrics.gauge(
    'petstore_database_connections',
    'Database connections: busy, idle, and how many the process may open (max).',
    () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, max: pool.options.max }),
    'state',
  );
  const waiters = 'Statements that wait for a database connection.';
  metrics.gauge('petstore_database_connection_waiters', waiters, () => pool.waitingCount);
  // After the others, because a ping uses a connection.
  const ping = () =>
    pool.ping().then(
      () => 1,
      () => 0,
    );
  metrics.gauge('petstore_database_up', 'Whether the database responds: 1 or 0.', ping);
}

/** Adds the process (event loop lag, memory, CPU, garbage collection), the log, the backups, and what the disks contain. */
export function collectSources(metrics: Metrics, { log, backups, database, pool, countAnimals }: Sources): void {
  collectDefaultMetrics({ register: metrics.registry });
  const dropped = 'Log lines dropped because the log could not be written.';
  metrics.total('petstore_log_lines_dropped_total', dropped, () => log.dropped);
  const animals = async () => {
    const { available, pending, sold } = await countAnimals();
    return { available: Number(available), pending: Number(pending), sold: Number(sold) };
  };
  metrics.gauge('petstore_animals', 'Animals by status. Up to 1,000,000 animals, at most 10 s old.', animals, 'status');
  addSizes(metrics, pool);
  if (backups) addBackups(metrics, backups);
  const { directory } = database;
  if (directory === undefined) return;
  addDisk(metrics, ['data', 'DATA_DIR'], directory);
  const crashes = 'How often the embedded PostgreSQL stopped unexpectedly since the start. The service restarts it.';
  metrics.total('petstore_postgres_crashes_total', crashes, () => database.crashes ?? 0);
}

function addSizes(metrics: Metrics, pool: Database): void {
  const read = async (sql: string) => (await withTimeout(pool.query(sql))).rows[0]?.['value'];
  metrics.gauge('petstore_database_size_bytes', 'The size of the database.', async () =>
    Number(await read('SELECT pg_database_size(current_database()) AS value')),
  );
  metrics.gauge('petstore_database_wal_bytes', 'The size of the write-ahead log.', async () => {
    // It needs the role pg_monitor. PostgreSQL would log each statement that it rejects.
    const isAllowed = await read(`SELECT has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS value`);
    return isAllowed ? Number(await read('SELECT sum(size) AS value FROM pg_ls_waldir()')) : {};
  });
}

function addBackups(metrics: Metrics, backups: BackupStatus): void {
  const { everyMs, directory } = backups.schedule;
  metrics.gauge(
    'petstore_backup_last_success_timestamp_seconds',
    'The time of the newest backup. 0: never.',
    async () => ((await backups.latestTime()) ?? 0) / 1000,
  );
  metrics.gauge(
    'petstore_backup_smaller',
    'Whether the last backup of this process has fewer animals than an earlier one: 1 or 0. While it is 1, no backup is deleted.',
    () => Number(backups.isSmaller),
  );
  metrics.gauge('petstore_backup_interval_seconds', 'BACKUP_EVERY_MINUTES.', () => everyMs / 1000);
  const failures = 'Scheduled backups that failed since the start.';
  metrics.total('petstore_backup_failures_total', failures, () => backups.failures);
  addDisk(metrics, ['backup', 'BACKUP_DIRECTORY'], directory);
}

function addDisk(metrics: Metrics, [name, variable]: [string, string], directory: string): void {
  const add = (kind: 'free' | 'size', help: string, blocks: 'bavail' | 'blocks') =>
    metrics.gauge(`petstore_${name}_directory_${kind}_bytes`, `${help} of the disk with ${variable}.`, async () => {
      const disk = await statfs(directory);
      return disk[blocks] * disk.bsize;
    });
  add('free', 'The free space', 'bavail');
  add('size', 'The size', 'blocks');
}
