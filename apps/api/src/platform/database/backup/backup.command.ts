import { resolve } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import { Command } from 'commander';
import { readConfig } from '../../config/config.js';
import { commandLine } from '../../product.js';
import { withDatabase } from '../open-database.js';
import { backUpInto, scheduleOf } from './backup-directory.js';
import { restoreBackup } from './restore-backup.js';
import { writeBackup } from './write-backup.js';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Writes all data to one file, whether or not the service runs. The file has mode 0600.')
    .argument(
      '[file]',
      'the new file, such as /backups/petstore.backup.gz; without it: a file in BACKUP_DIRECTORY, whose old backups are ' +
        'then deleted',
      filePath,
    )
    .usage('[file]')
    .action(backUp);
}

function filePath(text: string): string {
  return resolve(text);
}

async function backUp(file: string | undefined): Promise<void> {
  const config = readConfig(process.env);
  const target = scheduleOf(config);
  const written = await withDatabase(config, async (url) => {
    if (file === undefined) {
      if (!target) throw new ExplainedError('Name a file, or set BACKUP_DIRECTORY.');
      return backUpInto(target, url);
    }
    await writeBackup(file, url);
    return file;
  });
  console.log(`Wrote ${written}.`);
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restores a backup into a database without animals, whether or not the service runs.')
    .argument('<file>', `a file that "${commandLine('backup')}" wrote`, filePath)
    .usage('<file>')
    .action(restore);
}

const restored = `Restored. The API keys of the backup have replaced the previous ones: a key that was revoked since then is valid again.
To see the keys: ${commandLine('keys list')}
To revoke a key: ${commandLine('keys revoke ID')}`;

async function restore(file: string): Promise<void> {
  const restoreInto = async (url: string) => {
    const rows = await restoreBackup(file, url);
    for (const [table, count] of rows) console.log(`${table} ${count}`);
    console.log(restored);
  };
  await withDatabase(readConfig(process.env), restoreInto, { exactSchema: true });
}
