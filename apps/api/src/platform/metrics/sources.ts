import { statfs } from 'node:fs/promises';
import type { PetStatus } from '@petstore/contracts';
import { collectDefaultMetrics } from 'prom-client';
import type { BackupTimer } from '../database/backup/backup-timer.js';
import type { OpenDatabase } from '../database/open-database.js';
import type { DatabasePool } from '../database/pool.js';
import type { Log } from '../logging/log.js';
import { freeBytes } from '../disk-space.js';
import type { Metrics } from './metrics.js';

interface Sources {
  log: Log;
  /** The scheduled backups. */
  backups: BackupTimer | undefined;
  database: OpenDatabase;
  pool: DatabasePool;
  countAnimals: () => Promise<Readonly<Record<PetStatus, bigint>>>;
  listKeys: () => Promise<readonly { id: number; expiresAt: Date | null; revokedAt: Date | null }[]>;
}

/** Adds the connections of the pool, and whether the database responds. */
export function collectPool(metrics: Metrics, pool: DatabasePool): void {
  metrics.gauge(
    'petstore_database_connections',
    'Database connections: busy, idle, and how many the process may open (max).',
    () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, max: pool.options.max }),
    'state',
  );
  const waiters = 'Statements that wait for a database connection.';
  metrics.gauge('petstore_database_connection_waiters', waiters, () => pool.waitingCount);
  // This gauge comes last, because a ping uses a connection.
  const ping = () =>
    pool.ping().then(
      () => 1,
      () => 0,
    );
  metrics.gauge('petstore_database_up', 'Whether the database responds: 1 or 0.', ping);
}

/** Adds the process (event loop lag, memory, CPU, garbage collection), the log, the backups, and what the disks contain. */
export function collectSources(metrics: Metrics, sources: Sources): void {
  const { log, backups, database, pool, countAnimals } = sources;
  collectDefaultMetrics({ register: metrics.registry });
  const dropped = 'Log lines dropped because the log could not be written.';
  metrics.total('petstore_log_lines_dropped_total', dropped, () => log.dropped);
  const animals = async () => {
    const { available, pending, sold } = await countAnimals();
    return { available: Number(available), pending: Number(pending), sold: Number(sold) };
  };
  metrics.gauge('petstore_animals', 'Animals by status. Up to 1,000,000 animals, at most 10 s old.', animals, 'status');
  addKeys(metrics, sources);
  addSizes(metrics, pool);
  if (backups) addBackups(metrics, backups);
  const { directory } = database;
  if (directory === undefined) return;
  addDisk(metrics, ['data', 'DATA_DIR'], directory);
  const crashes = 'How often the embedded PostgreSQL stopped unexpectedly since the start. The service restarts it.';
  metrics.total('petstore_postgres_crashes_total', crashes, () => database.crashes ?? 0);
}

/** Revoked keys, and those that do not expire, have no value. */
function addKeys(metrics: Metrics, { listKeys }: Sources): void {
  const read = async () => {
    const times: Record<string, number> = {};
    for (const { id, expiresAt, revokedAt } of await listKeys()) {
      if (expiresAt && !revokedAt) times[id] = expiresAt.getTime() / 1000;
    }
    return times;
  };
  metrics.gauge(
    'petstore_api_key_expires_timestamp_seconds',
    'When an API key expires, by its id.',
    read,
    'api_key_id',
  );
}

function addSizes(metrics: Metrics, pool: DatabasePool): void {
  const read = async (sql: string) => (await pool.query<{ value: unknown }>(sql)).rows[0]?.value;
  metrics.gauge('petstore_database_size_bytes', 'The size of the database.', async () =>
    Number(await read('SELECT pg_database_size(current_database()) AS value')),
  );
  metrics.gauge('petstore_database_wal_bytes', 'The size of the write-ahead log.', async () => {
    // It needs the role pg_monitor. PostgreSQL would log each statement that it rejects.
    const isAllowed = await read(`SELECT has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS value`);
    return isAllowed ? Number(await read('SELECT sum(size) AS value FROM pg_ls_waldir()')) : {};
  });
}

function addBackups(metrics: Metrics, backups: BackupTimer): void {
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
  const of = `of the disk with ${variable}.`;
  metrics.gauge(`petstore_${name}_directory_free_bytes`, `The free space ${of}`, () => freeBytes(directory));
  metrics.gauge(`petstore_${name}_directory_size_bytes`, `The size ${of}`, async () => {
    const { blocks, bsize } = await statfs(directory);
    return blocks * bsize;
  });
}
