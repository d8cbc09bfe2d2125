import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { backupPlan } from './backup-plan.js';
import { databaseRights } from './database-rights.js';
import { readConfig } from './platform/config/config.js';
import { withDatabase } from './platform/database/attach-database.js';
import { restoreBackup } from './platform/database/backup/restore-backup.js';
import { datedPath, deleteOldBackups } from './platform/database/backup/scheduled-backup.js';
import { writeBackup } from './platform/database/backup/write-backup.js';
import { withScratchDatabase } from './platform/database/scratch-database.js';
import { explainAndExit } from './platform/errors/startup-error.js';

interface Options {
  directory?: string;
  keep?: number;
  verify?: string;
}

const program = new Command()
  .description('Writes all data to one file, whether or not the service runs. The file has mode 0600.')
  .argument('[file]', 'the file to write, such as /backups/petstore.backup.gz')
  .option('--directory <directory>', 'write a file named by the time into this directory instead')
  .option('--keep <count>', 'with --directory: then delete all but the newest backups', positiveInteger)
  .option('--verify <file>', 'restore a backup into a temporary database and compare every row; write nothing')
  .configureHelp({ commandUsage: () => 'npm run backup -- <file> | --directory <directory> | --verify <file>' })
  .showHelpAfterError()
  .action(run);

async function run(file: string | undefined, { directory, keep, verify }: Options): Promise<void> {
  if ([file, directory, verify].filter((given) => given !== undefined).length !== 1) {
    program.error('Give either a file, or --directory, or --verify.');
  }
  if (keep !== undefined && directory === undefined) program.error('--keep needs --directory.');
  if (verify !== undefined) return verifyBackup(resolve(verify));
  await backUp(directory === undefined ? resolve(String(file)) : await datedPath(resolve(directory), new Date()));
  if (directory === undefined || keep === undefined) return;
  for (const name of await deleteOldBackups(resolve(directory), keep)) console.log(`Deleted the old backup ${name}.`);
}

async function backUp(path: string): Promise<void> {
  const bytes = await withDatabase(readConfig(process.env), databaseRights, (url) =>
    writeBackup(path, { url, plan: backupPlan, log }),
  );
  console.log(`Wrote ${path} (${(bytes / 1e6).toFixed(1)} MB).`);
}

async function verifyBackup(path: string): Promise<void> {
  await withScratchDatabase((url) => restoreBackup(path, { url, plan: backupPlan, log }));
  console.log(`${path} is complete, and every row is unchanged.`);
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

/** Standard output holds only the result. */
function log(message: string): void {
  console.error(message);
}

await program.parseAsync().catch(explainAndExit);
