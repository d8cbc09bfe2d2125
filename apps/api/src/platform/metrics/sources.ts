import { collectDefaultMetrics } from 'prom-client';
import type { BackupTimer } from '../database/backup/backup-timer.js';
import type { OpenDatabase } from '../database/open-database.js';
import type { DatabasePool } from '../database/pool.js';
import { freeBytes } from '../disk-space.js';
import type { Metrics } from './metrics.js';

interface Sources {
  /** The scheduled backups. */
  backups: BackupTimer | undefined;
  database: OpenDatabase;
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

/** Adds the process (event loop lag, memory, CPU, garbage collection), the keys, the backups and the disk. */
export function collectSources(metrics: Metrics, sources: Sources): void {
  const { backups, database } = sources;
  collectDefaultMetrics({ register: metrics.registry });
  addKeys(metrics, sources);
  if (backups) addBackups(metrics, backups);
  const { directory } = database;
  if (directory === undefined) return;
  const free = 'The free space of the disk with DATA_DIR.';
  metrics.gauge('petstore_data_directory_free_bytes', free, () => freeBytes(directory));
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

function addBackups(metrics: Metrics, backups: BackupTimer): void {
  const { everyMs } = backups.schedule;
  metrics.gauge(
    'petstore_backup_last_success_timestamp_seconds',
    'The time of the newest backup. 0: never.',
    async () => ((await backups.latestTime()) ?? 0) / 1000,
  );
  metrics.gauge('petstore_backup_interval_seconds', 'BACKUP_EVERY_MINUTES.', () => everyMs / 1000);
}
