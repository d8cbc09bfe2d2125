import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../../config/config.js';
import { localPath } from '../../config/parsers.js';
import { type DatabaseContent, withDatabase } from '../open-database.js';
import { withScratchDatabase } from '../scratch-database.js';
import { backUpIfDue, backUpInto, scheduleOf } from './backup-directory.js';
import { restoreBackup } from './restore-backup.js';
import { writeBackup } from './write-backup.js';

export function backupCommand(content: DatabaseContent): Command {
  return (
    new Command('backup')
      .description('Writes all data to one file, whether or not the service runs. The file has mode 0600.')
      .argument(
        '[file]',
        'the new file, such as /backups/petstore.backup.gz; without it: a file in BACKUP_DIRECTORY, whose old backups are ' +
          'then deleted',
        filePath,
      )
      .option(
        '--verify <file>',
        'restore a backup into a temporary database and compare every row; write nothing',
        filePath,
      )
      // The service starts itself with it: BackupTimer.
      .addOption(new Option('--scheduled').hideHelp())
      .usage('[file] | --verify <file>')
      .action((file: string | undefined, options: BackupCommandOptions, command: Command) => {
        if (file !== undefined && options.verify !== undefined) command.error('Give either a file or --verify.');
        return run(file, options, content);
      })
  );
}

/** A shell may have left quotation marks or "~" in it, as in a setting. */
function filePath(text: string): string {
  const path = localPath('file')(text);
  if (typeof path === 'string') return resolve(path);
  throw new InvalidArgumentError(`It ${path.reason}.`);
}

interface BackupCommandOptions {
  scheduled?: true;
  verify?: string;
}

async function run(
  file: string | undefined,
  { verify, scheduled }: BackupCommandOptions,
  content: DatabaseContent,
): Promise<void> {
  if (verify !== undefined) return verifyBackup(verify, content);
  if (file === undefined) return backUpToDirectory(scheduled === true, content);
  const bytes = await withDatabase(readConfig(process.env), content, (url) =>
    writeBackup(file, { url, plan: content.backup, log }),
  );
  printWritten(file, bytes);
}

async function backUpToDirectory(isScheduled: boolean, content: DatabaseContent): Promise<void> {
  const config = readConfig(process.env);
  const schedule = scheduleOf(config);
  if (!schedule) throw new ExplainedError('Name a file, or set BACKUP_DIRECTORY.');
  if (isScheduled) lowerPriority();
  const { backup: plan } = content;
  const written = await withDatabase(config, content, (url) =>
    isScheduled
      ? backUpIfDue(schedule, { url, plan, log: () => undefined, warn: log })
      : backUpInto(schedule, { url, plan, log, warn: log }),
  );
  if (!written) return;
  printWritten(written.path, written.bytes);
  if (written.problem === undefined) return;
  log(written.problem);
  // The service logs the problem itself.
  if (!isScheduled) process.exitCode = 1;
}

function printWritten(path: string, bytes: number): void {
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

async function verifyBackup(path: string, { backup: plan }: DatabaseContent): Promise<void> {
  await withScratchDatabase((url) => restoreBackup(path, { url, plan, log }));
  console.log(`${path} is complete, and every row is unchanged.`);
}

/** @param describeKeys returns a text about the keys of a restored database */
export function restoreCommand(content: DatabaseContent, describeKeys: DescribeKeys): Command {
  return new Command('restore')
    .description('Restores a backup into a database without animals, whether or not the service runs.')
    .argument('<file>', 'a file that "npm run backup" wrote', filePath)
    .usage('<file>')
    .action((file: string) => restore(file, content, describeKeys));
}

type DescribeKeys = (databaseUrl: string) => Promise<string>;

async function restore(
  file: string,
  { rights, backup: plan }: DatabaseContent,
  describeKeys: DescribeKeys,
): Promise<void> {
  await withDatabase(readConfig(process.env), { rights, exactSchema: true }, async (url) => {
    const rows = await restoreBackup(file, { url, plan, log });
    for (const [table, count] of rows) console.log(`${table} ${count}`);
    console.log('Restored. The API keys of the backup have replaced the previous ones.');
    console.log(await describeKeys(url));
  });
}

/** Standard output holds only the result. */
function log(message: string): void {
  console.error(message);
}
