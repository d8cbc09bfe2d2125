import { readConfig } from './platform/config/config.js';
import { embeddedPostgresUrl } from './platform/database/embedded/embedded-postgres.js';
import { explainAndExit } from './platform/errors/startup-error.js';

/** Prints the URL to connect with, for psql and Prisma Studio. */
async function main(): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(process.env);
  console.log(databaseUrl ?? (await embeddedPostgresUrl(dataDir)));
}

await main().catch(explainAndExit);
