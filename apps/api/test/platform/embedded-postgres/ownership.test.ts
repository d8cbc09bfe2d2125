import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type EmbeddedPostgres,
  ownEmbeddedPostgres,
  visitEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { makeDataDir, postmasterOf, query, removeDataDir, silent } from './data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

describe('a data folder', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await makeDataDir();
    await (await visit()).close();
  });
  afterAll(() => removeDataDir(dataDir));

  const closing = (postgres: EmbeddedPostgres): EmbeddedPostgres => {
    onTestFinished(() => postgres.close());
    return postgres;
  };
  const own = async () => closing(await ownEmbeddedPostgres({ dataDir, log: silent }));
  const visit = () => visitEmbeddedPostgres({ dataDir, log: silent });
  const isRunning = async () => (await postmasterOf(dataDir)) !== 0;

  it('has one owner: the next gets an error that names it, while a visitor works', async () => {
    const owner = await own();
    const second = outcomeOf(launchProcess('own', dataDir));
    const visitor = closing(await visit());
    expect(await query(visitor.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await second).error).toContain(
      `Another service (process ${process.pid}) runs on the data folder ${dataDir}.`,
    );
    expect(await query(owner.url, 'SELECT 2 AS two')).toEqual([{ two: 2 }]);
  });

  it('is left running by a visitor while a service owns it', async () => {
    const owner = await own();
    await (await visit()).close();
    expect(await query(owner.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is stopped by the last of its visitors when no service owns it', async () => {
    const [first, second] = await Promise.all([visit(), visit()]);
    await first.close();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.close();
    expect(await isRunning()).toBe(false);
  });

  it('goes from the visitor that started it to a service that comes later', async () => {
    const visitor = await visit();
    const owner = await own();
    await visitor.close();
    expect(await query(owner.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await owner.close();
    expect(await isRunning()).toBe(false);
  });

  it('is free again as soon as its owner has closed', async () => {
    const service = launchProcess('own', dataDir);
    await outcomeOf(service);
    const next = end(service, 'SIGTERM').then(own);
    expect((await next).url).toContain(dataDir);
  });

  it('survives visitors that come and go all at once', async () => {
    const visitors = Array.from({ length: 12 }, async () => {
      const visitor = await visit();
      const rows = await query(visitor.url, 'SELECT 1 AS one');
      await visitor.close();
      return rows[0]?.['one'];
    });
    expect(new Set(await Promise.all(visitors))).toEqual(new Set([1]));
    expect(await isRunning()).toBe(false);
  });

  it('may be closed twice', async () => {
    const visitor = await visit();
    await Promise.all([visitor.close(), visitor.close()]);
    await visitor.close();
    expect(await isRunning()).toBe(false);
  });
});
