import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { socketFolder } from '../../../src/platform/database/embedded/data-folder.js';
import { readPid, stopPostmaster } from '../../../src/platform/database/embedded/postmaster-process.js';

/** A new data folder that is still to be made, by its real path. Every user of the machine can reach it. */
export async function makeDataDir(name = 'data'): Promise<string> {
  const place = await realpath(await mkdtemp('/tmp/petstore-embedded-'));
  await chmod(place, 0o755);
  return join(place, name);
}

/** Stops what runs on a data folder of `makeDataDir` and removes it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await stopPostmaster({ cluster: join(dataDir, 'postgres') });
  const places = [socketFolder(dataDir), dataDir].map((path) => /^.*\/petstore-[^/]+/.exec(path)?.[0] ?? path);
  for (const place of places) await rm(place, { recursive: true, force: true });
}

/** A data folder for one test. */
export async function temporaryDataDir(name?: string): Promise<string> {
  const dataDir = await makeDataDir(name);
  onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

/** The process number of the data folder's PostgreSQL; 0 when none runs. */
export function postmasterOf(dataDir: string): Promise<number> {
  return readPid(join(dataDir, 'postgres', 'postmaster.pid'));
}

/** Runs one statement over a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

/** Who owns the process, by the number of the user. */
export async function userOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^Uid:\t(\d+)/m.exec(status)?.[1]);
}

/** Forgets what is logged. */
export function silent(): void {}
