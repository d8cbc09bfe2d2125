import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type EmbeddedPostgres,
  ownEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { makeDataDir, postmasterOf, query, removeDataDir, silent } from './data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

describe('a kill', () => {
  let dataDir: string;
  let notes = 0;

  beforeAll(async () => {
    dataDir = await makeDataDir();
    const postgres = await ownEmbeddedPostgres({ dataDir, log: silent });
    await query(postgres.url, 'CREATE TABLE note (id int)');
    await postgres.close();
  });
  afterAll(() => removeDataDir(dataDir));

  const own = async (log: (message: string) => void = silent): Promise<EmbeddedPostgres> => {
    const postgres = await ownEmbeddedPostgres({ dataDir, log });
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
    const service = launchProcess('own', dataDir, { detached: true });
    const { url } = await outcomeOf(service);
    await write(url);
    return { service, url };
  };

  const killBoth = async (service: ChildProcess) => {
    await end(service, 'SIGKILL');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
  };

  it('of the service and its process group leaves PostgreSQL to the next service', async () => {
    const { service } = await startService();
    const postmaster = await postmasterOf(dataDir);
    process.kill(-Number(service.pid), 'SIGKILL');
    await end(service, 'SIGKILL');
    const { url } = await own();
    expect(await postmasterOf(dataDir)).toBe(postmaster);
    await expectAllNotes(url);
  });

  it('of PostgreSQL is made good by the running service, as often as it happens', async () => {
    const said: string[] = [];
    const { url } = await own((message) => said.push(message));
    const returns = () => said.filter((message) => message === 'PostgreSQL is back').length;
    for (let kill = 0; kill < 3; kill += 1) {
      await write(url);
      const postmaster = await postmasterOf(dataDir);
      process.kill(postmaster, 'SIGKILL');
      await vi.waitFor(() => expectAllNotes(url), { timeout: 30_000, interval: 20 });
      await vi.waitFor(() => expect(returns()).toBe(kill + 1), { timeout: 10_000 });
    }
    expect(said[0]).toBe('PostgreSQL has stopped unexpectedly: starting it again');
  });

  it('of both is made good by the next start', async () => {
    await killBoth((await startService()).service);
    await expectAllNotes((await own()).url);
  });

  it('of a service that is just restarting PostgreSQL is made good by the next start', async () => {
    const { service } = await startService();
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    await sleep(40);
    await end(service, 'SIGKILL');
    await expectAllNotes((await own()).url);
  });

  it('does not hinder the start when another program has got the number of the killed PostgreSQL', async () => {
    await killBoth((await startService()).service);
    const stranger = spawn('sleep', ['60']);
    onTestFinished(() => end(stranger, 'SIGKILL'));
    for (const lockFile of ['postgres/postmaster.pid', 'socket/.s.PGSQL.5432.lock']) {
      const content = await readFile(join(dataDir, lockFile), 'utf8');
      await writeFile(join(dataDir, lockFile), content.replace(/^\d+/, String(stranger.pid)));
    }

    const postgres = await own();
    await expectAllNotes(postgres.url);
    await postgres.close();
    expect(stranger.signalCode).toBeNull();
  });

  it('in the middle of a restart does not keep the service from closing', async () => {
    const postgres = await own();
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    await postgres.close();
    await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow();
    await expectAllNotes((await own()).url);
  });
});
