import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { launch } from './account.js';
import { findBinaries } from './binaries.js';
import { databaseRole } from './connection.js';
import type { DataFolder } from './data-folder.js';
import { launchError, programError } from './embedded-postgres.error.js';

const clusterOptions = [
  '--auth=trust',
  '--no-instructions',
  // PostgreSQL's own collation: the same order on every machine, whatever locales it has.
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
];

const inUse = new Set<string>();

/**
 * Makes a complete PostgreSQL data folder under a name for the time being.
 * @returns its path, to be given to `removeDraft` at last.
 */
export async function makeDraft(folder: DataFolder): Promise<string> {
  const draft = `${folder.cluster}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  inUse.add(draft);
  try {
    await initialize(draft, folder);
    return draft;
  } catch (error) {
    await removeDraft(draft);
    throw error;
  }
}

export async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  inUse.delete(draft);
}

/** Removes what killed starts left. In a container the next process may well have the number of the one before. */
export async function removeDrafts({ root }: DataFolder): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1]);
    const draft = join(root, name);
    const isLeft = pid === process.pid ? !inUse.has(draft) : pid > 0 && !isAlive(pid);
    if (isLeft) await removeDraft(draft);
  }
}

async function initialize(draft: string, { root, account }: DataFolder): Promise<void> {
  const { initdb } = await findBinaries();
  const command = [initdb, `--pgdata=${draft}`, `--username=${databaseRole}`, ...clusterOptions];
  const program = launch(account, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  const output = program.stderr ? text(program.stderr) : '';
  const [code] = (await once(program, 'exit').catch((error: Error) => {
    throw launchError(error);
  })) as [number | null];
  if (code !== 0) throw programError(root, await output);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
