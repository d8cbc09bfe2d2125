import { PetsRepository, type Recount } from './features/pets/pets.repository.js';
import { readConfig } from './platform/config/config.js';
import { databaseRights } from './database-rights.js';
import { attachDatabase } from './platform/database/open-database.js';
import { PrismaService } from './platform/database/prisma.service.js';
import { explainAndExit } from './platform/errors/startup-error.js';

/** Long enough to count what there is to count; nobody waits for it but who asked. */
const statementTimeoutMs = 3_600_000;

/** The recount command: works while the service runs, and while it does not. */
async function main(): Promise<void> {
  const database = await attachDatabase(readConfig(process.env), (line) => console.error(line), databaseRights);
  const prisma = new PrismaService({ url: database.url, max: 1, statementTimeoutMs });
  try {
    const counts = await new PetsRepository(prisma).recount();
    for (const count of counts) console.log(describe(count));
    if (counts.length === 0) console.log('There are no animals.');
  } finally {
    await prisma.close();
    await database.close();
  }
}

function describe({ status, before, actual }: Recount): string {
  const correction = before === actual ? '' : `, corrected from ${before}`;
  return `${status.padEnd(9)} ${actual}${correction}`;
}

await main().catch(explainAndExit);
