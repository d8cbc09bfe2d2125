import { databaseRights } from './database-rights.js';
import { PetsRepository, type Recount } from './features/pets/pets.repository.js';
import { readConfig } from './platform/config/config.js';
import { withDatabase } from './platform/database/attach-database.js';
import { withPrisma } from './platform/database/prisma.service.js';
import { explainAndExit } from './platform/errors/startup-error.js';

/** One hour: only the operator waits for this command. */
const statementTimeoutMs = 3_600_000;

/** The recount command. It works whether or not the service is running. */
async function main(): Promise<void> {
  const counts = await withDatabase(readConfig(process.env), databaseRights, (url) =>
    withPrisma({ url, statementTimeoutMs }, (prisma) => new PetsRepository(prisma).recount()),
  );
  for (const count of counts) console.log(describe(count));
  if (counts.length === 0) console.log('There are no animals.');
}

function describe({ status, before, actual }: Recount): string {
  const correction = before === actual ? '' : `, corrected from ${before}`;
  return `${status.padEnd(9)} ${actual}${correction}`;
}

await main().catch(explainAndExit);
