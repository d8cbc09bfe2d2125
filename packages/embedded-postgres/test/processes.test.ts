import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { attachEmbeddedPostgres, type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { makeDataDir, postmasterOf, query, removeDataDir, silent } from './temporary-data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

describe('the PostgreSQL of a data directory', () => {
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

  const closing = (postgres: EmbeddedPostgres): EmbeddedPostgres => {
    onTestFinished(() => postgres.close());
    return postgres;
  };
  const start = async (log = silent) => closing(await startEmbeddedPostgres({ dataDir, log }));
  const attach = async () => closing(await attachEmbeddedPostgres({ dataDir, log: silent }));
  const isRunning = async () => (await postmasterOf(dataDir)) !== 0;
  const write = async (url: string) => {
    notes += 1;
    await query(url, `INSERT INTO note VALUES (${notes})`);
  };
  const expectAllNotes = async (url: string) => {
    expect(await query(url, 'SELECT count(*)::int AS kept FROM note')).toEqual([{ kept: notes }]);
  };
  const startService = async (): Promise<{ service: ChildProcess; url: string }> => {
    const service = launchProcess(dataDir, { detached: true });
    const { url } = await outcomeOf(service);
    await write(url);
    return { service, url };
  };

  const killBoth = async (service: ChildProcess) => {
    await end(service, 'SIGKILL');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
  };

  it('has one service: the next gets an error, while a command works', async () => {
    const service = await start();
    const second = outcomeOf(launchProcess(dataDir));
    const command = await attach();
    expect(await query(command.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await second).error).toContain(`Another service uses the data directory ${dataDir}. Stop it, or set`);
    expect(await query(service.url, 'SELECT 2 AS two')).toEqual([{ two: 2 }]);
  });

  it('keeps running for a command after its service has closed, also for the next service', async () => {
    const service = await start();
    const command = await attach();
    await service.close();
    expect(await query(command.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const next = await start();
    await command.close();
    expect(await query(next.url, 'SELECT 2 AS two')).toEqual([{ two: 2 }]);
    await next.close();
    expect(await isRunning()).toBe(false);
  });

  it('is free as soon as its service has closed', async () => {
    const service = launchProcess(dataDir);
    await outcomeOf(service);
    const next = end(service, 'SIGTERM').then(() => start());
    expect((await next).url).toContain(dataDir);
  });

  it('survives many commands at once, and is stopped by the last one', async () => {
    const commands = Array.from({ length: 12 }, async () => {
      const command = await attach();
      const rows = await query(command.url, 'SELECT 1 AS one');
      await command.close();
      return rows[0]?.['one'];
    });
    expect(new Set(await Promise.all(commands))).toEqual(new Set([1]));
    expect(await isRunning()).toBe(false);
  });

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
    const { url } = await start((message) => void lines.push(message));
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
