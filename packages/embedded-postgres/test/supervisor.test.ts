import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres, attachEmbeddedPostgres } from '../src/embedded-postgres.js';
import { makeDataDir, postmasterOf, query, removeDataDir, silent } from './temporary-data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

describe('a data directory', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await makeDataDir();
    await (await attach()).close();
  });
  afterAll(() => removeDataDir(dataDir));

  const closing = (postgres: EmbeddedPostgres): EmbeddedPostgres => {
    onTestFinished(() => postgres.close());
    return postgres;
  };
  const start = async () => closing(await startEmbeddedPostgres({ dataDir, log: silent }));
  const attach = () => attachEmbeddedPostgres({ dataDir, log: silent });
  const isRunning = async () => (await postmasterOf(dataDir)) !== 0;

  it('has one service: the next gets an error, while a command works', async () => {
    const service = await start();
    const second = outcomeOf(launchProcess('start', dataDir));
    const command = closing(await attach());
    expect(await query(command.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await second).error).toContain(`Another service uses the data directory ${dataDir}. Stop it, or set`);
    expect(await query(service.url, 'SELECT 2 AS two')).toEqual([{ two: 2 }]);
  });

  it('keeps running for a service that started after the command that started it', async () => {
    const command = await attach();
    const service = await start();
    await command.close();
    expect(await query(service.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await service.close();
    expect(await isRunning()).toBe(false);
  });

  it('is free as soon as its service has closed', async () => {
    const service = launchProcess('start', dataDir);
    await outcomeOf(service);
    const next = end(service, 'SIGTERM').then(start);
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
});
