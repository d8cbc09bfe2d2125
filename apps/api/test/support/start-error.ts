import { backupPlan, databaseRights } from '../../src/database-content.js';
import { readConfig } from '../../src/platform/config/config.js';
import { openDatabase } from '../../src/platform/database/open-database.js';

/** Opens a database as the start of the service does. Returns the name and message of the error, or an empty text. */
export async function startError(databaseUrl: string, variables: Record<string, string> = {}): Promise<string> {
  const config = readConfig({ DATABASE_URL: databaseUrl, ...variables });
  return openDatabase(
    config,
    { print: () => undefined, warn: () => undefined, error: () => undefined },
    { rights: databaseRights, backup: backupPlan },
  ).then(
    () => '',
    ({ name, message }: Error) => `${name}: ${message}`,
  );
}
