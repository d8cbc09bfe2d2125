import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { makeDataDir, postmasterOf, query, removeDataDir, silent } from './temporary-data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

describe('when processes are killed', () => {
  let dataDir: string;
  let notes = 0;

  beforeAll(async () => {
    dataDir = await makeDataDir();
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
    await query(postgres.url, 'CREATE TABLE note (id int)');
    await postgres.close();
    // A killed process loses nothing that it has written. On a slow disk, each recovery would sync the files for a minute.
    await appendFile(join(dataDir, 'postgres/postgresql.conf'), 'fsync = off\n');
  });
  afterAll(() => removeDataDir(dataDir));

  const start = async (log: (message: string) => void = silent): Promise<EmbeddedPostgres> => {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    onTestFinished(() => postgres.close());
    return postgres;
  };
  const write = async (url: string) => {
    notes += 1;
    await query(url, `INSERT INTO note VALUES (${notes})`);
  };
  const expectAllNotes = async (url: string) => {
    expect(await query(url, 'SELECT count(*)::int AS kept FROM note')).toEqual([{ kept: notes }]);
  };
  const startService = async (): Promise<{ service: ChildProcess; url: string }> => {
    const service = launchProcess('start', dataDir, { detached: true });
    const { url } = await outcomeOf(service);
    await write(url);
    return { service, url };
  };

  const killBoth = async (service: ChildProcess) => {
    await end(service, 'SIGKILL');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
  };

  it('the next service uses the PostgreSQL that a killed service and its process group left', async () => {
    const { service } = await startService();
    const postmaster = await postmasterOf(dataDir);
    process.kill(-Number(service.pid), 'SIGKILL');
    await end(service, 'SIGKILL');
    const { url } = await start();
    expect(await postmasterOf(dataDir)).toBe(postmaster);
    await expectAllNotes(url);
  });

  it('the service restarts PostgreSQL, any number of times', async () => {
    const lines: string[] = [];
    const { url } = await start((message) => lines.push(message));
    const returns = () => lines.filter((message) => message === 'PostgreSQL is running again.').length;
    for (let kill = 0; kill < 3; kill += 1) {
      await write(url);
      const postmaster = await postmasterOf(dataDir);
      process.kill(postmaster, 'SIGKILL');
      await vi.waitFor(() => expectAllNotes(url), { timeout: 30_000, interval: 20 });
      await vi.waitFor(() => expect(returns()).toBe(kill + 1), { timeout: 60_000 });
    }
    expect(lines[0]).toBe('PostgreSQL stopped unexpectedly. Restarting it.');
  });

  it('the next start recovers from a kill of the service and PostgreSQL', async () => {
    await killBoth((await startService()).service);
    await expectAllNotes((await start()).url);
  });

  it('the next start succeeds when another program has the process id of the killed PostgreSQL', async () => {
    await killBoth((await startService()).service);
    const stranger = spawn('sleep', ['60']);
    onTestFinished(() => end(stranger, 'SIGKILL'));
    for (const lockFile of ['postgres/postmaster.pid', 'socket/.s.PGSQL.5432.lock']) {
      const content = await readFile(join(dataDir, lockFile), 'utf8');
      await writeFile(join(dataDir, lockFile), content.replace(/^\d+/, String(stranger.pid)));
    }

    const postgres = await start();
    await expectAllNotes(postgres.url);
    await postgres.close();
    expect(stranger.signalCode).toBeNull();
  });
});
