import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { socketDirectory } from '../src/data-directory.js';
import { readPid } from '../src/postmaster.js';

/** The real path of a data directory that does not exist yet. Every user can access its parent. */
export async function makeDataDir(name = 'data'): Promise<string> {
  const place = await realpath(await mkdtemp('/tmp/petstore-embedded-'));
  await chmod(place, 0o755);
  return join(place, name);
}

/** Stops PostgreSQL and removes the data directory. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir);
  // Of a failed test.
  if (pid !== 0) process.kill(pid, 'SIGKILL');
  const places = [socketDirectory(dataDir), dataDir].map((path) => /^.*\/petstore-[^/]+/.exec(path)?.[0] ?? path);
  for (const place of places) await rm(place, { recursive: true, force: true });
}

/** A data directory for one test. */
export async function temporaryDataDir(name?: string): Promise<string> {
  const dataDir = await makeDataDir(name);
  onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

/** The process id of the data directory's PostgreSQL; 0 when none runs. */
export function postmasterOf(dataDir: string): Promise<number> {
  return readPid(join(dataDir, 'postgres', 'postmaster.pid'));
}

/** Runs one statement on a new connection. */
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

/** The user id of the process. */
export async function userOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^Uid:\t(\d+)/m.exec(status)?.[1]);
}

/** Ignores log lines. */
export function silent(_line: string): void {}
