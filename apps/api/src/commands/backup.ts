import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { backupPlan, databaseRights } from '../database-content.js';
import { recountPets } from '../features/pets/pet-counts.js';
import { readConfig } from '../platform/config/config.js';
import { restoreBackup } from '../platform/database/backup/restore-backup.js';
import { backUpIfDue, datedPath, deleteOldBackups, scheduleOf } from '../platform/database/backup/scheduled-backup.js';
import { writeBackup } from '../platform/database/backup/write-backup.js';
import { withDatabase } from '../platform/database/open-database.js';
import { withScratchDatabase } from '../platform/database/scratch-database.js';

export function backupCommand(): Command {
  return (
    new Command('backup')
      .description('Writes all data to one file, whether or not the service runs. The file has mode 0600.')
      .argument('[file]', 'the file to write, such as /backups/petstore.backup.gz')
      .option('--directory <directory>', 'write a file named by the time into this directory instead')
      .option('--keep <count>', 'with --directory: then delete all but the newest backups', positiveInteger)
      .option('--verify <file>', 'restore a backup into a temporary database and compare every row; write nothing')
      // The service starts itself with it: BackupTimer.
      .addOption(new Option('--scheduled').hideHelp())
      .usage('<file> | --directory <directory> | --verify <file>')
      .action(run)
  );
}

interface BackupFlags {
  scheduled?: true;
  directory?: string;
  keep?: number;
  verify?: string;
}

async function run(file: string | undefined, options: BackupFlags, command: Command): Promise<void> {
  const { directory, keep, verify, scheduled } = options;
  if (scheduled) return runScheduled();
  if ([file, directory, verify].filter((given) => given !== undefined).length !== 1) {
    command.error('Give either a file, or --directory, or --verify.');
  }
  if (keep !== undefined && directory === undefined) command.error('--keep needs --directory.');
  if (verify !== undefined) return verifyBackup(resolve(verify));
  await backUp(directory === undefined ? resolve(String(file)) : await datedPath(resolve(directory), new Date()));
  if (directory === undefined || keep === undefined) return;
  for (const name of await deleteOldBackups(resolve(directory), keep)) console.log(`Deleted the old backup ${name}.`);
}

async function backUp(path: string): Promise<void> {
  const bytes = await withDatabase(readConfig(process.env), { rights: databaseRights }, (url) =>
    writeBackup(path, { url, plan: backupPlan, log }),
  );
  console.log(`Wrote ${path} (${(bytes / 1e6).toFixed(1)} MB).`);
}

/** A sandbox may forbid it. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // The backup then competes with requests.
  }
}

/** Prints the path of a backup that was due. */
async function runScheduled(): Promise<void> {
  lowerPriority();
  const config = readConfig(process.env);
  const schedule = scheduleOf(config);
  if (!schedule) throw new ExplainedError('Set BACKUP_DIRECTORY.');
  const path = await withDatabase(config, { rights: databaseRights }, (url) =>
    backUpIfDue(schedule, { url, plan: backupPlan, log: () => undefined }),
  );
  if (path !== undefined) console.log(`Wrote ${path}.`);
}

async function verifyBackup(path: string): Promise<void> {
  await withScratchDatabase((url) => restoreBackup(path, { url, plan: backupPlan, log, isVerification: true }));
  console.log(`${path} is complete, and every row is unchanged.`);
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restores a backup into a database without animals, whether or not the service runs.')
    .argument('<file>', 'a file that "npm run backup" wrote')
    .usage('<file>')
    .action(restore);
}

async function restore(file: string): Promise<void> {
  await withDatabase(readConfig(process.env), { rights: databaseRights, exactSchema: true }, async (url) => {
    const rows = await restoreBackup(resolve(file), { url, plan: backupPlan, log });
    // Triggers counted the animals during the restore. This checks their totals, and corrects them if necessary.
    await recountPets(url);
    for (const [table, count] of rows) console.log(`${table} ${count}`);
  });
  console.log('Restored. The API keys of the backup have replaced the previous ones.');
}

/** Standard output holds only the result. */
function log(message: string): void {
  console.error(message);
}
