import { embeddedPostgresUrl } from '@petstore/embedded-postgres';
import { checkMigrations, ConnectionError } from '@petstore/migrate';
import { readConfig } from './platform/config/config.js';
import { withLibpqSslModes } from './platform/database/connection-url.js';
import { migrationsDirectory } from './platform/database/prisma-directory.js';
import { explainAndExit } from './platform/errors/startup-error.js';

/** Prints the URL for psql and Prisma Studio. Starts nothing: checks the schema only if the database responds. */
async function main(): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const url = databaseUrl ?? (await embeddedPostgresUrl(dataDir));
  // Even if the schema is wrong: the URL may be needed to repair it.
  console.log(url);
  await checkMigrations(withLibpqSslModes(url), migrationsDirectory).catch((error: unknown) => {
    if (!(error instanceof ConnectionError)) throw error;
  });
}

await main().catch(explainAndExit);
