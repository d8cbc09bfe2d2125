import { resolve } from 'node:path';
import { Command } from 'commander';
import { backupPlan } from './backup-plan.js';
import { databaseRights } from './database-rights.js';
import { PetsRepository } from './features/pets/pets.repository.js';
import { readConfig } from './platform/config/config.js';
import { withDatabase } from './platform/database/attach-database.js';
import { restoreBackup } from './platform/database/backup/restore-backup.js';
import { withPrisma } from './platform/database/prisma.service.js';
import { explainAndExit } from './platform/errors/startup-error.js';

/** One hour, for the count of all animals. */
const statementTimeoutMs = 3_600_000;

const program = new Command()
  .description('Restores a backup into a database without animals, whether or not the service runs.')
  .argument('<file>', 'a file that "npm run backup" wrote')
  .configureHelp({ commandUsage: () => 'npm run restore -- <file>' })
  .showHelpAfterError()
  .action(restore);

async function restore(file: string): Promise<void> {
  const log = (message: string) => console.error(message);
  await withDatabase(readConfig(process.env), databaseRights, async (url) => {
    const rows = await restoreBackup(resolve(file), { url, plan: backupPlan, log });
    // Triggers counted the animals during the restore. This checks their totals, and corrects them if necessary.
    await withPrisma({ url, statementTimeoutMs }, (prisma) => new PetsRepository(prisma).recount());
    for (const [table, count] of rows) console.log(`${table} ${count}`);
  });
  console.log('Restored. The API keys of the backup have replaced the previous ones.');
}

await program.parseAsync().catch(explainAndExit);
