import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../src/platform/database/database-error.js';
import { makePool } from '../../src/platform/database/pool.js';
import { DatabaseLink } from '../support/database-link.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const statementTimeoutMs = 500;
const silenceMs = 1000;
const types = { getTypeParser: () => (text: string) => text };

let database: ScratchDatabase;
let link: DatabaseLink;
let pool: pg.Pool;
beforeEach(async () => {
  database = await createEmptyDatabase();
  link = await DatabaseLink.to(database.url);
  pool = makePool({ url: link.url, poolMax: 2, statementTimeoutMs });
});
afterEach(async () => {
  if (!pool.ending) await pool.end();
  await link.cut();
  await database.drop();
});

const run = async (name: string, text: string): Promise<unknown> => {
  const { rows } = await pool.query({ name, text, values: [], types, rowMode: 'array' } as pg.QueryArrayConfig);
  return (rows as unknown[][])[0]?.[0];
};
/** The process that a prepared statement runs in. */
const prepared = () => run('session', 'SELECT pg_backend_pid()');
const slow = (ms: number) => run(`slow ${ms}`, `SELECT pg_backend_pid() FROM pg_sleep(${ms / 1000})`);
/** The process that another statement runs in. */
const plain = async () => {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return String(rows[0]?.pid);
};
const counts = () => ({ all: pool.totalCount, idle: pool.idleCount });

describe('the connections that prepared statements keep', () => {
  it('are as many as run at once, and no more than the pool may have', async () => {
    const first = await prepared();
    expect([await prepared(), await prepared()]).toEqual([first, first]);
    expect(counts()).toEqual({ all: 1, idle: 0 });
    const sessions = await Promise.all(Array.from({ length: 6 }, () => slow(20)));
    expect(new Set(sessions).size).toBe(2);
    expect(counts().all).toBe(2);
  });

  it('go to whoever else asks, one for each, and are taken again', async () => {
    const kept = await Promise.all([slow(20), slow(20)]);
    expect(counts()).toEqual({ all: 2, idle: 0 });
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    const waiting = prepared();
    const seen = { ...counts(), listeners: clients.map((client) => client.listenerCount('error')) };
    for (const client of clients) client.release();
    expect(seen).toEqual({ all: 2, idle: 0, listeners: [1, 1] });
    expect(kept).toContain(await waiting);
  });

  it('go to whoever else waits as soon as a statement has ended', async () => {
    let left = 40;
    const statements = Array.from({ length: 4 }, async () => {
      for (; left > 0; left -= 1) await slow(5);
    });
    await plain();
    expect(left).toBeGreaterThan(0);
    await Promise.all(statements);
  });

  it('are given up when the server has stopped answering', async () => {
    const before = await prepared();
    link.delayMs = 60_000;
    const error = await prepared().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringContaining(`no answer within ${silenceMs} ms`) as string });
    expect(isDatabaseUnavailable(error)).toBe(true);
    link.delayMs = 0;
    expect(counts()).toEqual({ all: 0, idle: 0 });
    expect(await prepared()).not.toBe(before);
  });

  it('go back to the pool, unharmed, when nothing has been asked for a while', async () => {
    const before = await prepared();
    expect(counts()).toEqual({ all: 1, idle: 0 });
    await expect.poll(counts, { timeout: 5000 }).toEqual({ all: 1, idle: 1 });
    await sleep(2 * silenceMs);
    expect([await plain(), await prepared()]).toEqual([before, before]);
  });

  it('are left out once they have broken', async () => {
    const [first] = await Promise.all([slow(20), slow(20)]);
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(`SELECT pg_terminate_backend(${String(first)})`);
    await client.end();
    await expect.poll(counts, { timeout: 5000 }).toEqual({ all: 1, idle: 0 });
    expect(await Promise.all([slow(20), slow(20)])).not.toContain(first);
  });

  it('tell the statement under way that they have broken', async () => {
    await prepared();
    const running = slow(150);
    link.delayMs = 60_000;
    await link.cut();
    await expect(running).rejects.toThrow(/terminated|ECONNRESET/);
    expect(counts()).toEqual({ all: 0, idle: 0 });
  });

  it('may break before their statement has got them', async () => {
    // The end of a session can come in one packet with the answer before it.
    const breakIt = (client: pg.PoolClient) => queueMicrotask(() => client.emit('error', new Error('broken')));
    pool.once('acquire', breakIt);
    await prepared();
    pool.once('acquire', breakIt);
    (await pool.connect()).release();
  });

  it('are given up with a statement that is refused', async () => {
    await prepared();
    await expect(run('wrong', 'SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(counts()).toEqual({ all: 0, idle: 0 });
    await expect(slow(5000)).rejects.toMatchObject({ code: '57014' });
    await prepared();
  });

  it('end with the pool, once what is under way is answered', async () => {
    await pool.end();
    pool = makePool({ url: link.url, poolMax: 2, statementTimeoutMs: 120_000 });
    await Promise.all([slow(20), slow(20)]);
    const running = slow(100);
    await pool.end();
    expect(await running).toMatch(/^\d+$/);
    expect(counts()).toEqual({ all: 0, idle: 0 });
  });
});
