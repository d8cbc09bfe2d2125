import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { embeddedPostgresUrl, ownEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { makeDataDir, postmasterOf, query, removeDataDir, silent, temporaryDataDir } from './data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

describe('the start of the embedded PostgreSQL', () => {
  let dataDir: string;
  const own = () => ownEmbeddedPostgres({ dataDir, log: silent });

  beforeAll(async () => {
    dataDir = await makeDataDir();
  });
  afterAll(() => removeDataDir(dataDir));

  it('makes a database that keeps its data over the next start, at the same URL', async () => {
    const first = await own();
    await query(first.url, "CREATE TABLE note AS SELECT 'kept' AS text");
    await first.close();
    expect(await postmasterOf(dataDir)).toBe(0);

    const second = await own();
    onTestFinished(() => second.close());
    expect(second.url).toBe(first.url);
    expect(await embeddedPostgresUrl(dataDir)).toBe(first.url);
    expect(await query(second.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }]);
  });

  it('is durable, checked for damage, in UTF-8 and reachable by its socket only', async () => {
    const postgres = await own();
    onTestFinished(() => postgres.close());
    const settings = ['fsync', 'data_checksums', 'server_encoding', 'TimeZone', 'listen_addresses'];
    const values = await query(
      postgres.url,
      settings.map((name) => `SELECT current_setting('${name}') AS v`).join(' UNION ALL '),
    );
    expect(values.map(({ v }) => v)).toEqual(['on', 'on', 'UTF8', 'UTC', '']);
  });

  it('gets over a lock file that a power cut left empty', async () => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
    const postgres = await own();
    await postgres.close();
    expect(await postmasterOf(dataDir)).toBe(0);
  });

  it('empties a log that has grown too long', async () => {
    await writeFile(join(dataDir, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024));
    const postgres = await own();
    onTestFinished(() => postgres.close());
    const [size] = await query(
      postgres.url,
      `SELECT size < 10000 AS small FROM pg_stat_file('${dataDir}/postgres.log')`,
    );
    expect(size).toEqual({ small: true });
  });
});

describe('the first start', () => {
  it('begins anew where a start was killed while it made the database', async () => {
    const dataDir = await temporaryDataDir();
    const killed = launchProcess('own', dataDir);
    while (!(await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('postgres.new'))) await sleep(2);
    await sleep(100);
    await end(killed, 'SIGKILL');

    const postgres = await ownEmbeddedPostgres({ dataDir, log: silent });
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.close();
  });

  it('fills an empty folder that waits for it, and removes what a process of its own number left', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await mkdir(join(dataDir, `postgres.new-${process.pid}-00000000`));
    const postgres = await ownEmbeddedPostgres({ dataDir, log: silent });
    await postgres.close();
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'postgres.log', 'socket']);
  });

  it('of two services at once lets one have the folder and refuses the other', async () => {
    const dataDir = await temporaryDataDir();
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(launchProcess('own', dataDir))));
    const refusals = outcomes.map(({ error }) => error).filter((error) => error !== '');
    expect(refusals).toEqual([expect.stringMatching(/^EmbeddedPostgresError: Another service \(process \d+\) runs/)]);
  });
});
