import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { explain } from './backup-error.js';
import { type BackupOptions, writeBackup } from './write-backup.js';

/**
 * Writes a backup into `directory` before the migration `name`, unless the database is empty.
 * @throws BackupError
 */
export async function backUpBefore(name: string, directory: string, options: BackupOptions): Promise<void> {
  if (!(await hasRows(options))) return;
  const path = join(directory, `before-${name}.backup.gz`);
  options.log(`Backing up the database to ${path} before the migration.`);
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw explain(`The creation of ${directory}`, error);
  });
  await writeBackup(path, { ...options, log: () => undefined });
}

async function hasRows({ url, plan: { mainTable } }: BackupOptions): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
      mainTable,
    ]);
    if (!rows[0]?.exists) return false;
    return (await client.query(`SELECT FROM ${mainTable} LIMIT 1`)).rowCount === 1;
  } finally {
    await client.end();
  }
}
