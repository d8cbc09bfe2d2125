import { resolve } from 'node:path';
import { Command } from 'commander';
import { backupPlan } from './backup-plan.js';
import { databaseRights } from './database-rights.js';
import { PetsRepository } from './features/pets/pets.repository.js';
import { readConfig } from './platform/config/config.js';
import { restoreBackup } from './platform/database/backup/restore-backup.js';
import { attachDatabase } from './platform/database/open-database.js';
import { PrismaService } from './platform/database/prisma.service.js';
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
  const database = await attachDatabase(readConfig(process.env), log, databaseRights);
  try {
    const rows = await restoreBackup(resolve(file), { url: database.url, plan: backupPlan, log });
    await recount(database.url);
    for (const [table, count] of rows) console.log(`${table} ${count}`);
    console.log('Restored. The API keys of the backup have replaced the previous ones.');
  } finally {
    await database.close();
  }
}

/** Triggers counted the animals during the restore. This checks their totals, and corrects them if necessary. */
async function recount(url: string): Promise<void> {
  const prisma = new PrismaService({ url, max: 1, statementTimeoutMs });
  try {
    await new PetsRepository(prisma).recount();
  } finally {
    await prisma.close();
  }
}

await program.parseAsync().catch(explainAndExit);
