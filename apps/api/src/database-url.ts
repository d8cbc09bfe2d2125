import { readConfig } from './platform/config/config.js';
import { findDatabase } from './platform/database/open-database.js';
import { explainAndExit } from './platform/errors/startup-error.js';

/** Prints the URL for psql and Prisma Studio, even if the schema is wrong: they may be needed to repair it. */
async function main(): Promise<void> {
  const { url, check } = await findDatabase(readConfig(process.env));
  console.log(url);
  await check();
}

await main().catch(explainAndExit);
