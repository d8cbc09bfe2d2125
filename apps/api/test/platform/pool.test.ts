import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isDatabaseUnavailable } from '../../src/platform/database/database-error.js';
import { createPool } from '../../src/platform/database/pool.js';
import { DatabaseLink } from '../support/database-link.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const statementTimeoutMs = 500;

let database: ScratchDatabase;
let link: DatabaseLink;
let pool: Pool;
beforeEach(async () => {
  database = await createEmptyDatabase();
  link = await DatabaseLink.to(database.url);
  pool = createPool({ url: link.url, max: 1, statementTimeoutMs });
});
afterEach(async () => {
  await pool.end();
  await link.cut();
  await database.drop();
});

const backendPid = async (text = 'SELECT pg_backend_pid() AS pid') => {
  const { rows } = await pool.query<{ pid: number }>({ name: text, text });
  return rows[0]?.pid;
};
/** A new connection has only 500 ms: on a busy machine, the first attempts may fail. */
const pidOnceConnected = () => vi.waitFor(() => backendPid(), { timeout: 50_000 });

describe('A pooled connection', () => {
  it('is closed and replaced when the server stops responding', async () => {
    const before = await pidOnceConnected();
    link.delayMs = 60_000;
    const error = await backendPid().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: expect.stringContaining('no response from the database within 1000 ms') as string,
    });
    expect(isDatabaseUnavailable(error)).toBe(true);
    link.delayMs = 0;
    expect(await pidOnceConnected()).not.toBe(before);
  });

  it('stays open while it is idle for longer than the timeout of a statement', async () => {
    const before = await pidOnceConnected();
    await sleep(1500);
    expect(await pidOnceConnected()).toBe(before);
  });

  it('runs the next statement after one that failed or exceeded the statement timeout', async () => {
    await pidOnceConnected();
    await expect(pool.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(pool.query('SELECT pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
    expect(await pidOnceConnected()).toBeGreaterThan(0);
  });

  it('is replaced when the server closes it while it is idle', async () => {
    const before = await pidOnceConnected();
    await link.cut();
    await link.mend();
    await expect.poll(() => pool.totalCount).toBe(0);
    expect(await pidOnceConnected()).not.toBe(before);
  });

  it('rejects the running statement when it breaks', async () => {
    const running = backendPid('SELECT pg_backend_pid() AS pid FROM pg_sleep(0.1)');
    link.delayMs = 60_000;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(1);
    await sleep(50);
    const rejected = expect(running).rejects.toThrow(/terminated|ECONNRESET/);
    await link.cut();
    await rejected;
  });
});

it('keeps the options of the URL next to its own settings', async () => {
  const url = new URL(link.url);
  url.searchParams.set('options', '-c search_path=store -c TimeZone=Asia/Tokyo');
  const other = createPool({ url: url.href, max: 1, statementTimeoutMs });
  const { rows } = await other.query<Record<string, string>>(
    `SELECT current_setting('search_path') AS path, current_setting('TimeZone') AS zone,
       current_setting('default_transaction_isolation') AS isolation`,
  );
  await other.end();
  expect(rows).toEqual([{ path: 'store', zone: 'UTC', isolation: 'read committed' }]);
});
