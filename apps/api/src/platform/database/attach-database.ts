import { constants } from 'node:os';
import { attachEmbeddedPostgres, embeddedPostgresUrl } from '@petstore/embedded-postgres';
import type { Config } from '../config/config.js';
import { stopSignal } from '../process.js';
import type { BackupPlan } from './backup/backup-plan.js';
import type { DatabaseRights } from './check-rights.js';
import { applyMigrations, checkExternal, checkSchema, type Log, type OpenDatabase, start } from './open-database.js';

// For commands, which may run while the service runs.

/** Opens the database for `use`, then closes it. Neither creates nor migrates a database. */
export async function withDatabase<Result>(
  config: Config,
  rights: DatabaseRights,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  // Throws when there is no database. The start of the embedded PostgreSQL would create it.
  if (config.databaseUrl === undefined) await embeddedPostgresUrl(config.dataDir);
  // Standard output holds only the result of the command.
  const log = (message: string) => console.error(message);
  const database = await closeOnSignal(() =>
    start({ config, log, startEmbedded: attachEmbeddedPostgres }, async (started) => {
      await checkSchema(started);
      await checkExternal(started, config, rights);
    }),
  );
  try {
    return await use(database.url);
  } finally {
    await database.close();
  }
}

/** Creates the embedded database if needed, and applies all migrations. */
export async function migrateDatabase(config: Config, log: Log, plan: BackupPlan): Promise<void> {
  const database = await closeOnSignal(() =>
    start({ config, log, startEmbedded: attachEmbeddedPostgres }, (started) =>
      applyMigrations(started, config, { log, plan }),
    ),
  );
  await database.close();
}

/** An interrupted command closes the database before it exits. */
async function closeOnSignal(open: () => Promise<OpenDatabase>): Promise<OpenDatabase> {
  const interruption = { isPending: false };
  const stopped = stopSignal().finally(() => (interruption.isPending = true));
  const database = await open();
  const ended = stopped.then((signal) => database.close().finally(() => process.exit(128 + constants.signals[signal])));
  if (interruption.isPending) await ended;
  return database;
}
