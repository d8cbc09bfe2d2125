import { open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresMajor } from './binaries.js';
import type { DataFolder } from './data-folder.js';
import { makeDraft, removeDraft, removeDrafts } from './draft.js';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.error.js';

/**
 * Makes PostgreSQL's own folder when there is none.
 * @throws EmbeddedPostgresError when what is there is not a data folder of this PostgreSQL.
 */
export async function ensureCluster(folder: DataFolder, log: (message: string) => void): Promise<void> {
  await removeDrafts(folder);
  if (await hasCluster(folder)) return;
  log(`Making the database in ${folder.root} (the first time only)`);
  // A folder that takes its name only when it is complete: an interrupted start leaves nothing that looks like data.
  const draft = await makeDraft(folder);
  try {
    await rename(draft, folder.cluster);
    await syncFolder(folder.root);
  } catch (error) {
    // Another process that started at the same moment may have been first.
    if (!(await hasCluster(folder))) throw folderError(folder.root, error);
  } finally {
    await removeDraft(draft);
  }
}

async function hasCluster({ cluster }: DataFolder): Promise<boolean> {
  const content = await readdir(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw folderError(cluster, error);
  });
  if (content.length === 0) return false;
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === postgresMajor) return true;
  throw new EmbeddedPostgresError(version === '' ? foreignContent(cluster) : otherMajor(cluster, version));
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function foreignContent(cluster: string): string {
  return (
    `${cluster} is not empty and not a PostgreSQL data folder, so it was left alone. ` +
    'Move it away, or choose another folder with DATA_DIR.'
  );
}

function otherMajor(cluster: string, found: string): string {
  return (
    `${cluster} was made by PostgreSQL ${found}; this version of the service brings PostgreSQL ${postgresMajor}. ` +
    `The data is untouched. Dump it with PostgreSQL ${found} (pg_dump), start the service on another DATA_DIR and ` +
    'restore it there, or set DATABASE_URL to a server that has the data.'
  );
}
